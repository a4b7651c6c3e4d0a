// Real clients against a real server: every kubectl at hand, and programs on the libraries that operators are written
// with. `npm run clients` runs it; with HOMEOSTAT_WRITE_MATRIX=1 the result goes into docs/api-compatibility.md.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONTROLLER_MANAGER } from './controller-manager.ts'
import { credentialFor, managerKubeconfig, wayOf } from './credentials.ts'
import { HELMS } from './helm.ts'
import { type Issuer, startIssuer } from './issuer.ts'
import { kubectls } from './kubectl.ts'
import { type Results, writeMatrix } from './matrix-page.ts'
import { type MatrixServer, startMatrixServer } from './matrix-server.ts'
import { PROGRAMS, type Program } from './programs.ts'

let issuer: Issuer
let server: MatrixServer
const results: Results = new Map()

beforeAll(async () => {
  issuer = await startIssuer(programs.map(({ namespace }) => namespace))
  server = await startMatrixServer(issuer)
  await server.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition())
})

afterAll(async () => {
  await server?.stop()
  issuer?.stop()
  if (process.env.HOMEOSTAT_WRITE_MATRIX === '1') writeMatrix(results)
})

const NOUNS = { token: "an account's token", certificate: 'a certificate', oidc: "an issuer's token" }

const programs = [...kubectls(), ...PROGRAMS, ...HELMS, CONTROLLER_MANAGER].map((program, index) => ({
  program,
  namespace: `client-${index}`,
  way: wayOf(index),
  name: program.name,
}))

describe.each(programs)('$name', ({ program, namespace, way }) => {
  if (program.missing !== undefined) {
    process.stderr.write(`skipped: ${program.name}, since ${program.missing}\n`)
    results.set(program, { missing: program.missing })
  }
  it.skipIf(program.missing !== undefined)(
    `does what operators and their users do, over TLS with ${NOUNS[way]}`,
    async () => {
      await server.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
      const kubeconfig = await credentialFor(way, namespace, server, issuer)
      const more =
        program.manager === undefined ? {} : { MANAGER_KUBECONFIG: await managerKubeconfig(program.manager, server) }
      const { steps, output } = await runProgram(program, {
        ...more,
        KUBECONFIG: kubeconfig,
        CLIENT_NAMESPACE: namespace,
      })
      results.set(program, { steps })
      const failed = program.steps.filter((step) => !steps.includes(step))
      expect(failed, `${program.name} printed:\n${output}`).toEqual([])
    },
    900_000,
  )
})

async function runProgram(
  program: Program,
  variables: Readonly<Record<string, string>>,
): Promise<{ steps: string[]; output: string }> {
  const [command, ...args] = await program.prepare()
  const env = { ...process.env, ...variables }
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
