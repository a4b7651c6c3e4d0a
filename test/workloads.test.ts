// Deployments as people use them: kubectl against `homeostat up --runtime process`, with a crash of the server on the way.

import { type ExecFileException, execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ServerProcess, startServer } from './server-process.ts'
import { needKubectls } from './tools.ts'

const WEB = (replicas: number) => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 2
      containers:
      - name: main
        image: none
        command: [sh, -c, 'echo "$GREETING from $NAME"; exec sleep 600']
        env:
        - {name: GREETING, value: hello}
        - {name: NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
`

const COLUMNS = 'UID:.metadata.uid,RESTARTS:.status.containerStatuses[0].restartCount'

const PAIR = `
apiVersion: v1
kind: Pod
metadata: {name: pair}
spec:
  runtimeClassName: simulated
  containers:
  - {name: a, image: web:1}
  - {name: b, image: web:1}
`

// What kubectl does about rollouts has not changed in years: the newest one is enough.
const { path = '', missing, version } = needKubectls().at(-1) ?? { version: 'any', missing: 'there is none' }

describe(`kubectl ${version}`, () => {
  it.skipIf(missing)('rolls out, undoes, scales and reads logs; a crash of the server stops nothing', async () => {
    const directory = temporaryFolder()
    const units = join(directory, 'runtimes/process')
    let server: ServerProcess = await startServer(directory, ['--runtime', 'process,simulated'])
    onTestFinished(async () => {
      await server.stop('SIGKILL')
      endUnits(units)
    })
    const kubectl = async (args: string, input = ''): Promise<string> => {
      const { code, out, err } = await attempt(path, server.kubeconfig, args, input)
      expect({ code, err }, `kubectl ${args}`).toMatchObject({ code: 0 })
      return out
    }
    const refused = async (args: string) => (await attempt(path, server.kubeconfig, args)).err
    /** The only ones: those of before are gone. */
    const pods = async (count: number) => {
      const names = async () => (await kubectl('get pods -l app=web -o name')).trim().split('\n')
      await expect.poll(async () => (await names()).length).toBe(count)
      return names()
    }
    const restarts = () => kubectl(`get pods -l app=web -o custom-columns=${COLUMNS}`)

    await kubectl('apply -f -', WEB(2))
    expect(await kubectl('rollout status deployment/web --timeout=200s')).toContain('successfully rolled out')
    const [first = ''] = await pods(2)
    await expect.poll(() => kubectl(`logs ${first}`)).toBe(`hello from ${first.slice('pod/'.length)}\n`)
    expect(await kubectl('get deployment web')).toMatch(/web +2\/2 +2 +2 /)

    await kubectl('set env deployment/web GREETING=goodbye')
    expect(await kubectl('rollout status deployment/web --timeout=200s')).toContain('successfully rolled out')
    const [second = ''] = await pods(2)
    await expect.poll(() => kubectl(`logs ${second} --tail=1`)).toContain('goodbye from')
    await kubectl('rollout undo deployment/web')
    await kubectl('rollout status deployment/web --timeout=200s')
    expect((await kubectl('rollout history deployment/web')).match(/^\d+/gm)).toEqual(['2', '3'])
    await kubectl('scale deployment/web --replicas=3')
    await kubectl('rollout status deployment/web --timeout=200s')

    await pods(3)
    const before = await restarts()
    expect(before.match(/ 0$/gm)).toHaveLength(3)
    await server.stop('SIGKILL')
    server = await startServer(directory, ['--runtime', 'process,simulated'])
    await kubectl('rollout status deployment/web --timeout=200s')
    await kubectl('wait pods -l app=web --for=condition=Ready --timeout=200s')
    expect(await restarts()).toBe(before)
    const [third = ''] = await pods(3)
    expect(await kubectl(`logs ${third}`)).toBe(`hello from ${third.slice('pod/'.length)}\n`)

    await kubectl('apply -f -', PAIR)
    await kubectl('wait pod/pair --for=condition=Ready --timeout=200s')
    expect(await kubectl('logs pair -c b')).toContain('nothing really runs')
    expect(await kubectl('describe pod pair')).toContain('homeostat.dev/Simulated')
    expect(await refused('logs pair -c c')).toContain('container c is not valid for pod pair')
    expect(await refused(`logs ${third} --previous`)).toContain('previous terminated container "main" in pod')

    await kubectl('delete deployment web')
    await kubectl('wait pods -l app=web --for=delete --timeout=200s')
    await expect.poll(() => readdirSync(units)).toEqual([])
  })
})

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

function attempt(path: string, kubeconfig: string, args: string, input = ''): Promise<Ran> {
  const env = { PATH: process.env.PATH ?? '', HOME: join(kubeconfig, '..'), KUBECONFIG: kubeconfig }
  return new Promise((resolve) => {
    const done = (error: ExecFileException | null, out: string, err: string) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, out, err })
    const child = execFile(path, args.split(' '), { env, timeout: 240_000 }, done)
    child.stdin?.end(input)
  })
}

/** What a test that failed left running: units outlive the server. */
function endUnits(folder: string): void {
  for (const unit of existsSync(folder) ? readdirSync(folder) : []) {
    try {
      process.kill(-JSON.parse(readFileSync(join(folder, unit, 'keeper.json'), 'utf8')).pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}
