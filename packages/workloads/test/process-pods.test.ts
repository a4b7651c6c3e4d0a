// Pods whose containers are real processes: what they see, how they end, and that a restart of everything around them
// neither loses nor doubles them.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openProcessRuntime, type Runtime } from '@homeostat/runtimes'
import { testEnv } from '@homeostat/testing'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { podLogs, workloads } from '../src/index.ts'
import type { Container, Pod } from '../src/kinds.ts'
import { podManifest, type Stage, stage } from './stage.ts'

const root = mkdtempSync(join(tmpdir(), 'homeostat-workloads-'))
let count = 0
afterAll(() => rmSync(root, { recursive: true, force: true }))

const sh = (script: string): Partial<Container> => ({ command: ['/bin/sh', '-c', script] })
const isRunning = ({ status }: Pod) => status?.phase === 'Running' && status.containerStatuses?.[0]?.ready === true

async function open(directory: string): Promise<Runtime> {
  const runtime = await openProcessRuntime({ directory, lookEveryMs: 20 })
  onTestFinished(async () => {
    for (const { id } of await runtime.list({})) await runtime.stop(id, { graceSeconds: 0 })
    await runtime.close()
    expect(readdirSync(directory)).toEqual([])
  })
  return runtime
}

function folder(): string {
  count++
  return join(root, String(count))
}

async function processStage(): Promise<
  Stage & { runtime: Runtime; logs: (name: string, query?: string) => Promise<string> }
> {
  const runtime = await open(folder())
  const staged = await stage({ runtimes: () => [runtime] })
  const read = podLogs([runtime], staged.env.client)
  const logs = async (name: string, query = '') => {
    const chunks: Uint8Array[] = []
    const stream = await read('default', name, new URLSearchParams(query), new AbortController().signal)
    for await (const chunk of stream) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  }
  return { ...staged, runtime, logs }
}

describe('a pod of processes', () => {
  it('sees what its variables are taken from, and ends with its own exit code', async () => {
    const { env, pod, logs } = await processStage()
    const named = (kind: string, name: string) => ({ apiVersion: 'v1', kind, metadata: { name, namespace: 'default' } })
    await env.apply({ ...named('ConfigMap', 'settings'), data: { level: 'debug' } })
    await env.apply({ ...named('Secret', 'login'), stringData: { password: 'hush' } })
    const container: Partial<Container> = {
      ...sh('echo "$LEVEL $PASSWORD $NAME $1"; exit 4'),
      args: ['sh', '$(LEVEL)!'],
      env: [
        { name: 'LEVEL', valueFrom: { configMapKeyRef: { name: 'settings', key: 'level' } } },
        { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'login', key: 'password' } } },
        { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ],
    }
    await env.apply(podManifest('job', container, { restartPolicy: 'Never' }))
    const { status } = await env.until<Pod>(pod('job'), (one) => one.status?.phase === 'Failed')
    expect(status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode: 4, reason: 'Error' })
    expect(status?.conditions?.some(({ type }) => type === 'homeostat.dev/Simulated')).toBe(false)
    expect(await logs('job')).toBe('debug hush job debug!\n')
  })

  it('is asked to stop, and has its grace for it', async () => {
    const { env, pod, runtime } = await processStage()
    const marker = join(root, `stopped-${count}`)
    const script = `trap "echo bye > ${marker}; exit 0" TERM; while :; do sleep 0.02; done`
    await env.apply(podManifest('polite', sh(script)))
    await env.until<Pod>(pod('polite'), isRunning)
    await env.client.resource('v1', 'Pod').delete(pod('polite'))
    await env.untilGone(pod('polite'))
    expect(readFileSync(marker, 'utf8')).toBe('bye\n')
    expect(await runtime.list({})).toEqual([])
  })

  it('says what it needs when it has no command', async () => {
    const { env, pod } = await processStage()
    await env.apply(podManifest('image', {}))
    const isWaiting = ({ status }: Pod) =>
      status?.containerStatuses?.[0]?.state?.waiting?.reason === 'CreateContainerError'
    const { status } = await env.until<Pod>(pod('image'), isWaiting)
    expect(status?.containerStatuses?.[0]?.state?.waiting?.message).toContain(
      'the process runtime needs spec.containers[].command',
    )
  })

  it('is ready when its probe says so', async () => {
    const { env, pod } = await processStage()
    const server = createServer((socket) => socket.end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    await new Promise((resolve) => server.close(resolve))
    const readinessProbe = { tcpSocket: { port }, periodSeconds: 1 }
    await env.apply(podManifest('probed', { ...sh('exec sleep 600'), readinessProbe }))
    const started = ({ status }: Pod) => status?.containerStatuses?.[0]?.started === true
    expect((await env.until<Pod>(pod('probed'), started)).status?.containerStatuses?.[0]?.ready).toBe(false)
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    await env.until<Pod>(pod('probed'), isRunning)
  })

  it('goes on while everything around it starts again, and is not started twice', async () => {
    const directory = folder()
    const env = await testEnv()
    const first = await openProcessRuntime({ directory, lookEveryMs: 20 })
    const one = env.run(workloads({ runtimes: [first], defaultRuntime: 'process' }), { name: 'workloads' })
    const marker = join(root, 'starts')
    const ref = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', name, namespace: 'default' })
    await env.apply(podManifest('stays', sh(`echo x >> ${marker}; exec sleep 600`)))
    await env.apply(
      podManifest('ends', sh(`while [ ! -e ${root}/go ]; do sleep 0.02; done; exit 7`), { restartPolicy: 'Never' }),
    )
    await env.apply(podManifest('goes', sh('exec sleep 600')))
    for (const name of ['stays', 'ends', 'goes']) await env.until<Pod>(ref(name), isRunning)
    await one.close()
    await first.close()

    await env.client.resource('v1', 'Pod').delete(ref('goes'), { gracePeriodSeconds: 0 })
    writeFileSync(join(root, 'go'), '')
    const second = await open(directory)
    // Before the runtime, whose units it would otherwise start again.
    onTestFinished(() => env.close())
    env.run(workloads({ runtimes: [second], defaultRuntime: 'process' }), { name: 'workloads' })
    const ended = await env.until<Pod>(ref('ends'), ({ status }) => status?.phase === 'Failed')
    expect(ended.status?.containerStatuses?.[0]?.state?.terminated?.exitCode).toBe(7)
    await expect.poll(async () => (await second.list({})).filter(({ phase }) => phase === 'running').length).toBe(1)
    await env.settled()
    const stays = await env.until<Pod>(ref('stays'), isRunning)
    expect(stays.status?.containerStatuses?.[0]?.restartCount).toBe(0)
    expect(readFileSync(marker, 'utf8')).toBe('x\n')
  })
})

describe('the log of a pod', () => {
  it('is the container’s own, or the one that was asked for', async () => {
    const { env, pod, logs } = await processStage()
    const containers = [
      { name: 'a', image: 'x', ...sh('echo from a; exec sleep 600') },
      { name: 'b', image: 'x', ...sh('echo from b; exec sleep 600') },
    ]
    await env.apply(
      podManifest('two', {}, { containers, initContainers: [{ name: 'i', image: 'x', ...sh('echo init') }] }),
    )
    await env.until<Pod>(pod('two'), isRunning)
    await expect.poll(() => logs('two', 'container=a')).toBe('from a\n')
    await expect.poll(() => logs('two', 'container=b&limitBytes=6')).toBe('from b')
    expect(await logs('two', 'container=i&tailLines=1')).toBe('init\n')
    await expect(logs('two')).rejects.toMatchObject({
      code: 400,
      message:
        'a container name must be specified for pod two, choose one of: [a b] or one of the init containers: [i]',
    })
    await expect(logs('two', 'container=c')).rejects.toThrow('container c is not valid for pod two')
    await expect(logs('two', 'container=a&previous=true')).rejects.toThrow(
      'previous terminated container "a" in pod "two" not found',
    )
  })

  it('of the run before can be asked for', async () => {
    const { env, pod, logs } = await processStage()
    const marker = join(root, `again-${count}`)
    const script = `if [ -e ${marker} ]; then echo second; exec sleep 600; fi; touch ${marker}; echo first; exit 1`
    await env.apply(podManifest('again', sh(script)))
    const isAgain = ({ status }: Pod) =>
      status?.containerStatuses?.[0]?.restartCount === 1 && status.phase === 'Running'
    await env.until<Pod>(pod('again'), (one) => isAgain(one) && isRunning(one))
    await expect.poll(() => logs('again')).toBe('second\n')
    expect(await logs('again', 'previous=true')).toBe('first\n')
  })

  it.each([
    ['nobody', '', 404, 'pods "nobody" not found'],
    ['waits', '', 400, 'container "main" in pod "waits" is waiting to start: the process runtime needs'],
    ['waits', 'tailLines=-1', 422, 'tailLines'],
    ['waits', 'sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z', 422, 'at most one of `sinceTime` or `sinceSeconds`'],
    ['waits', 'sinceTime=yesterday', 422, 'sinceTime'],
  ])('of %s with "%s" is refused: %i %s', async (name, query, code, message) => {
    const { env, pod, logs } = await processStage()
    await env.apply(podManifest('waits', {}))
    const isWaiting = ({ status }: Pod) =>
      status?.containerStatuses?.[0]?.state?.waiting?.reason === 'CreateContainerError'
    await env.until<Pod>(pod('waits'), isWaiting)
    const refusal = expect(logs(name, query)).rejects
    await refusal.toMatchObject({ code, message: expect.stringContaining(message) })
  })
})
