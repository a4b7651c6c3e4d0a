// Pods whose containers are those of a real Docker engine: how they come, what their probes see, and how they go.

import { createServer, type Socket } from 'node:net'
import { openDockerRuntime } from '@homeostat/runtimes'
import { type DockerDaemon, dockerMissing, IMAGE, startDockerDaemon } from '@homeostat/runtimes/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { podLogs } from '../src/index.ts'
import type { Container, Pod } from '../src/kinds.ts'
import { podManifest, type Stage, stage, web } from './stage.ts'

const missing = dockerMissing()
let daemon: DockerDaemon
beforeAll(async () => {
  if (missing === undefined) daemon = await startDockerDaemon()
})
afterAll(() => daemon?.close())

const sh = (script: string): Partial<Container> => ({ image: IMAGE, command: ['/bin/sh', '-c', script] })
/** The first process of a container hears only those signals it asks for. */
const WAITS = 'trap "exit 0" TERM; sleep 600 & wait'
const isReady = ({ status }: Pod) => status?.containerStatuses?.[0]?.ready === true
const waiting = ({ status }: Pod) => status?.containerStatuses?.[0]?.state?.waiting

async function dockerStage(): Promise<Stage & { logs: (name: string) => Promise<string> }> {
  const runtime = await openDockerRuntime({ socket: daemon.socket })
  const staged = await stage({ runtimes: () => [runtime] })
  const read = podLogs([runtime], staged.env.client)
  const logs = async (name: string) => {
    const chunks: Uint8Array[] = []
    const stream = await read('default', name, new URLSearchParams(), new AbortController().signal)
    for await (const chunk of stream) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  }
  return { ...staged, logs }
}

async function containers(): Promise<number> {
  return ((await daemon.call('GET', '/containers/json?all=1')).body as unknown[]).length
}

describe.skipIf(missing)('pods of containers', () => {
  it('are as many containers as a Deployment wants, with their logs, and none when it is gone', async () => {
    const { env, deployment, pods, rolledOut, logs } = await dockerStage()
    const container = { ...sh(`echo "hello from $NAME"; ${WAITS}`), imagePullPolicy: 'Never' as const }
    const variables = [{ name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }]
    await env.apply(web(2, {}, { ...container, env: variables }))
    await rolledOut('web')
    expect(await containers()).toBe(2)
    for (const { metadata } of await pods()) {
      await expect.poll(() => logs(metadata.name ?? '')).toBe(`hello from ${metadata.name}\n`)
    }
    const [first] = await pods()
    expect(first?.status?.containerStatuses?.[0]?.containerID).toMatch(/^docker:\/\/[0-9a-f]{64}$/)
    await env.apply(web(1, {}, { ...container, env: variables }))
    await rolledOut('web')
    await expect.poll(containers).toBe(1)
    await env.client.resource('apps/v1', 'Deployment').delete(deployment('web'))
    await env.untilGone(deployment('web'))
    await expect.poll(containers).toBe(0)
  })

  it('are ready when a command inside them says so', async () => {
    const { env, pod } = await dockerStage()
    const readinessProbe = { exec: { command: ['/bin/cat', '/tmp/ready'] }, periodSeconds: 1 }
    await env.apply(podManifest('probed', { ...sh(`sleep 1; touch /tmp/ready; ${WAITS}`), readinessProbe }))
    const started = ({ status }: Pod) => status?.containerStatuses?.[0]?.started === true
    expect(isReady(await env.until<Pod>(pod('probed'), started))).toBe(false)
    await env.until<Pod>(pod('probed'), isReady)
    await env.client.resource('v1', 'Pod').delete(pod('probed'))
    await env.untilGone(pod('probed'))
    expect(await containers()).toBe(0)
  })

  it('are not pulled against their policy, and say so', async () => {
    const { env, pod } = await dockerStage()
    await env.apply(podManifest('absent', { ...sh(WAITS), image: 'not/here:1', imagePullPolicy: 'Never' }))
    const isRefused = (one: Pod) => waiting(one)?.reason === 'CreateContainerError'
    const refused = await env.until<Pod>(pod('absent'), isRefused)
    expect(waiting(refused)?.message).toContain('image not/here:1 is not on this machine, and its pull policy is Never')
  })

  it('can go while their image is still being pulled, and leave no container', async () => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => sockets.add(socket))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      silent.close()
      for (const socket of sockets) socket.destroy()
    })
    const { env, pod } = await dockerStage()
    const image = `127.0.0.1:${(silent.address() as { port: number }).port}/web:1`
    await env.apply(podManifest('slow', { ...sh(WAITS), image }))
    await expect.poll(() => sockets.size).toBeGreaterThan(0)
    await env.client.resource('v1', 'Pod').delete(pod('slow'))
    await env.untilGone(pod('slow'))
    expect(await containers()).toBe(0)
  })
})

it('pods wait for an engine that is not there, and say what to do', async () => {
  const runtime = await openDockerRuntime({ socket: '/no/such/docker.sock' })
  const { env, events } = await stage({ runtimes: () => [runtime] })
  await env.apply(podManifest('waits', sh(WAITS)))
  await expect
    .poll(() => events.find((event) => event.startsWith('RuntimeNotReady')))
    .toContain('cannot reach Docker at /no/such/docker.sock: there is no such socket; start the Docker daemon')
})
