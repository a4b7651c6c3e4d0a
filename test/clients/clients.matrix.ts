// Real clients against a real server: every kubectl at hand, and programs on the libraries that operators are written
// with. `npm run clients` runs it; with HOMEOSTAT_WRITE_MATRIX=1 the result goes into docs/api-compatibility.md.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONTROLLER_MANAGER } from './controller-manager.ts'
import { HELMS } from './helm.ts'
import { kubectls } from './kubectl.ts'
import { type Results, writeMatrix } from './matrix-page.ts'
import { type MatrixServer, startMatrixServer } from './matrix-server.ts'
import { PROGRAMS, type Program } from './programs.ts'

let server: MatrixServer
const results: Results = new Map()

beforeAll(async () => {
  server = await startMatrixServer()
  await server.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition())
})

afterAll(async () => {
  await server?.stop()
  if (process.env.HOMEOSTAT_WRITE_MATRIX === '1') writeMatrix(results)
})

const programs = [...kubectls(), ...PROGRAMS, ...HELMS, CONTROLLER_MANAGER].map((program, index) => ({
  program,
  index,
  name: program.name,
}))

describe.each(programs)('$name', ({ program, index }) => {
  if (program.missing !== undefined) {
    process.stderr.write(`skipped: ${program.name}, since ${program.missing}\n`)
    results.set(program, { missing: program.missing })
  }
  it.skipIf(program.missing !== undefined)(
    'does what operators and their users do',
    async () => {
      const namespace = `client-${index}`
      await server.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
      const { steps, output } = await runProgram(program, namespace)
      results.set(program, { steps })
      const failed = program.steps.filter((step) => !steps.includes(step))
      expect(failed, `${program.name} printed:\n${output}`).toEqual([])
    },
    900_000,
  )
})

async function runProgram(program: Program, namespace: string): Promise<{ steps: string[]; output: string }> {
  const [command, ...args] = await program.prepare()
  const env = { ...process.env, KUBECONFIG: server.kubeconfig, CLIENT_NAMESPACE: namespace }
  const child = spawn(command, args, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 600_000,
    killSignal: 'SIGKILL',
  })
  let output = ''
  const take = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const steps = [...output.matchAll(/^ok (\w+)$/gm)].map(([, step]) => step ?? '')
  return { steps, output: `${output}(exit ${code})`.slice(-6000) }
}

function definition(): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'widget.json'), 'utf8'))
}
