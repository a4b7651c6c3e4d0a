// Deployments as containers: kubectl against `homeostat up --runtime docker`, with a crash of the server on the way.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { type DockerDaemon, dockerMissing, IMAGE, startDockerDaemon } from '@homeostat/runtimes/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ServerProcess, startServer } from './server-process.ts'
import { need, needKubectls } from './tools.ts'

const kubectls = needKubectls()
const { path = '' } = kubectls.at(-1) ?? {}
const curl = need('curl')
const missing = dockerMissing() ?? kubectls.at(-1)?.missing ?? curl.missing
let daemon: DockerDaemon
beforeAll(async () => {
  if (missing === undefined) daemon = await startDockerDaemon()
})
afterAll(() => daemon?.close())

const WEB = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 2
      containers:
      - name: main
        image: ${IMAGE}
        imagePullPolicy: Never
        command: [sh, -c, 'echo "hello from $NAME"; trap "exit 0" TERM; sleep 600 & wait']
        env:
        - {name: NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
`

const BESIDE = `
apiVersion: v1
kind: Pod
metadata: {name: beside}
spec:
  runtimeClassName: process
  restartPolicy: Never
  containers:
  - {name: main, image: none, command: [echo, no container]}
`

const ARGS = ['--runtime', 'docker,process']
/** Tests with an engine are run by root. */
const OTHER = { uid: 65534 }
const run = promisify(execFile)

describe.skipIf(missing)('kubectl and containers', () => {
  it('a Deployment is as many containers; a crash of the server stops none; its end leaves none', async () => {
    vi.stubEnv('DOCKER_HOST', `unix://${daemon.socket}`)
    onTestFinished(() => void vi.unstubAllEnvs())
    const directory = temporaryFolder()
    let server: ServerProcess = await startServer(directory, ARGS)
    onTestFinished(async () => {
      await server.stop('SIGKILL')
      for (const { Id } of await containers()) await daemon.call('DELETE', `/containers/${Id}?force=1`)
    })
    const kubectl = async (args: string, input = ''): Promise<string> => {
      const env = { PATH: process.env.PATH ?? '', HOME: join(server.kubeconfig, '..'), KUBECONFIG: server.kubeconfig }
      const running = run(path, args.split(' '), { env, timeout: 240_000 })
      running.child.stdin?.end(input)
      return (await running).stdout
    }
    const containers = async () => (await daemon.call('GET', '/containers/json?all=1')).body as Listed[]

    // Whoever may create Pods could be root: nobody else of this machine may.
    const asOther = await run(curl.path ?? '', ['-sw', '%{http_code}', '-o', '/dev/null', `${server.url}/api`], OTHER)
    expect(asOther.stdout).toBe('403')

    await kubectl('apply -f -', WEB)
    await kubectl('rollout status deployment/web --timeout=200s')
    const before = await containers()
    expect(before.map(({ State, Image }) => `${State} ${Image}`)).toEqual([`running ${IMAGE}`, `running ${IMAGE}`])
    expect(before[0]?.Labels['homeostat.dev/runtime-owner']).toMatch(/^homeostat-[0-9a-f]{8}$/)
    for (const { Labels } of before) {
      const pod = Labels['homeostat.dev/pod']
      await expect.poll(() => kubectl(`logs ${pod} --tail=1`)).toBe(`hello from ${pod}\n`)
    }
    await kubectl('apply -f -', BESIDE)
    await expect.poll(() => kubectl('logs beside')).toBe('no container\n')
    await kubectl('delete pod beside')

    await server.stop('SIGKILL')
    server = await startServer(directory, ARGS)
    await kubectl('scale deployment/web --replicas=1')
    await kubectl('rollout status deployment/web --timeout=200s')
    await expect.poll(async () => (await containers()).length).toBe(1)
    expect(before.map(({ Id }) => Id)).toContain((await containers())[0]?.Id)
    await kubectl('delete deployment web')
    await kubectl('wait pods -l app=web --for=delete --timeout=200s')
    await expect.poll(containers).toEqual([])
  })
})

interface Listed {
  readonly Id: string
  readonly State: string
  readonly Image: string
  readonly Labels: Readonly<Record<string, string>>
}
