// Single pods on a whole control plane, simulated: their life, their end, and what is said when something is wrong.

import { type Runtime, SimulatedRuntime } from '@homeostat/runtimes'
import { describe, expect, it } from 'vitest'
import type { Pod } from '../src/kinds.ts'
import { podManifest, stage, told } from './stage.ts'

const stateOf = ({ status }: Pod) => status?.containerStatuses?.[0]
const isRunning = ({ status }: Pod) => status?.phase === 'Running' && status.containerStatuses?.[0]?.ready === true

describe('a pod', () => {
  it('gets its node and runs, and says that nothing really does', async () => {
    const { env, pod, events } = await stage()
    await env.apply(podManifest('one', {}))
    const { spec, status } = await env.until<Pod>(pod('one'), isRunning)
    expect(spec?.nodeName).toBe('homeostat')
    expect(status?.conditions?.map(({ type, status: state }) => `${type} ${state}`)).toEqual([
      'PodScheduled True',
      'Initialized True',
      'ContainersReady True',
      'Ready True',
      'homeostat.dev/Simulated True',
    ])
    // From a range that no network uses.
    expect(status).toMatchObject({ hostIP: '198.18.0.1', podIP: expect.stringMatching(/^198\.1[89]\./) })
    expect(events).toEqual([
      'Scheduled: Successfully assigned default/one to homeostat',
      'Started: Started container main',
    ])
  })

  it('of an unknown runtime stays pending, and says which there are', async () => {
    const { env, pod, events } = await stage()
    await env.apply(podManifest('one', {}, { runtimeClassName: 'docker' }))
    const isRefused = ({ status }: Pod) => status?.conditions?.some(({ reason }) => reason === 'Unschedulable') ?? false
    const { status } = await env.until<Pod>(pod('one'), isRefused)
    const message = 'runtimeClassName "docker" is not known here: use one of simulated, or leave it out for simulated'
    expect(status?.phase).toBe('Pending')
    expect(status?.conditions?.[0]).toMatchObject({ type: 'PodScheduled', status: 'False', message })
    expect(events).toEqual([`FailedScheduling: ${message}`])
    await env.client.resource('v1', 'Pod').delete(pod('one'))
    await env.untilGone(pod('one'))
  })

  it.each([
    ['exit:0', 'Never', 'Succeeded'],
    ['exit:3', 'Never', 'Failed'],
    ['exit:0', 'OnFailure', 'Succeeded'],
  ])('told to %s under %s ends as %s', async (directive, restartPolicy, phase) => {
    const { env, pod } = await stage()
    await env.apply(podManifest('job', told(directive), { restartPolicy }))
    const ended = await env.until<Pod>(pod('job'), ({ status }) => status?.phase === phase)
    expect(stateOf(ended)?.state?.terminated?.exitCode).toBe(Number(directive.slice(5)))
    await env.client.resource('v1', 'Pod').delete(pod('job'))
    await env.untilGone(pod('job'))
  })

  it('that crashes again and again waits longer each time', async () => {
    const { env, pod, events } = await stage()
    await env.apply(podManifest('crash', told('exit:1')))
    const inBackOff = (restarts: number) => (one: Pod) =>
      stateOf(one)?.state?.waiting?.reason === 'CrashLoopBackOff' && stateOf(one)?.restartCount === restarts
    const first = await env.until<Pod>(pod('crash'), inBackOff(1))
    expect(stateOf(first)?.state?.waiting?.message).toBe('back-off 10s restarting failed container=main')
    expect(stateOf(first)?.lastState?.terminated?.exitCode).toBe(1)
    await env.settled()
    await env.advance('11s')
    const second = await env.until<Pod>(pod('crash'), inBackOff(2))
    expect(stateOf(second)?.state?.waiting?.message).toBe('back-off 20s restarting failed container=main')
    expect(events).toContain('BackOff: Back-off restarting failed container main in pod crash')
  })

  it('runs its init containers first', async () => {
    const { env, pod } = await stage()
    const initContainers = [{ name: 'setup', image: 'setup:1', ...told('exit:0') }]
    await env.apply(podManifest('one', {}, { initContainers }))
    const { status } = await env.until<Pod>(pod('one'), isRunning)
    expect(status?.initContainerStatuses?.[0]).toMatchObject({ ready: true, state: { terminated: { exitCode: 0 } } })
  })

  it('that cannot start says why, and starts when that is over', async () => {
    const { env, pod, events } = await stage()
    const value = { name: 'LEVEL', valueFrom: { configMapKeyRef: { name: 'settings', key: 'level' } } }
    await env.apply(podManifest('one', { env: [value] }))
    const isWaiting = (one: Pod) => stateOf(one)?.state?.waiting?.reason === 'CreateContainerConfigError'
    const waiting = await env.until<Pod>(pod('one'), isWaiting)
    expect(stateOf(waiting)?.state?.waiting?.message).toBe('configmap "settings" not found')
    expect(events).toContain('Failed: Error: configmap "settings" not found')
    const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'default' } }
    await env.apply({ ...settings, data: { level: 'debug' } })
    await env.until<Pod>(pod('one'), isRunning)
  })

  it('is stopped before it is gone', async () => {
    let runtime: Runtime | undefined
    const { env, pod } = await stage({
      runtimes: ({ clock }) => {
        runtime = new SimulatedRuntime({ clock, startDelayMs: 0 })
        return [runtime]
      },
    })
    await env.apply(podManifest('one', told('stubborn')))
    await env.until<Pod>(pod('one'), isRunning)
    await env.client.resource('v1', 'Pod').delete(pod('one'), { gracePeriodSeconds: 20 })
    await env.settled()
    const going = await env.until<Pod>(pod('one'), ({ metadata }) => metadata.deletionTimestamp !== undefined)
    expect(going.metadata.deletionGracePeriodSeconds).toBe(20)
    expect(await runtime?.list({})).toHaveLength(1)
    await env.advance('21s')
    await env.untilGone(pod('one'))
    expect(await runtime?.list({})).toEqual([])
  })

  it('that goes slowly can be hurried', async () => {
    const { env, pod, events } = await stage()
    await env.apply(podManifest('one', told('stubborn')))
    await env.until<Pod>(pod('one'), isRunning)
    const pods = env.client.resource('v1', 'Pod')
    await pods.delete(pod('one'), { gracePeriodSeconds: 600 })
    await env.settled()
    await pods.delete(pod('one'), { gracePeriodSeconds: 5 })
    await env.settled()
    await env.advance('6s')
    await env.untilGone(pod('one'))
    expect(events.filter((event) => event.startsWith('Killing'))).toEqual(['Killing: Stopping container main'])
  })

  it('leaves nothing running when it is gone at once, nor when another takes its name', async () => {
    let runtime: Runtime | undefined
    const { env, pod } = await stage({
      runtimes: ({ clock }) => {
        runtime = new SimulatedRuntime({ clock, startDelayMs: 0 })
        return [runtime]
      },
    })
    const pods = env.client.resourceOf<Pod>('v1', 'Pod')
    await env.apply(podManifest('one', {}))
    const first = await env.until<Pod>(pod('one'), isRunning)
    await pods.delete(pod('one'), { gracePeriodSeconds: 0 })
    await env.apply(podManifest('one', {}))
    const second = await env.until<Pod>(pod('one'), isRunning)
    expect(second.metadata.uid).not.toBe(first.metadata.uid)
    await expect
      .poll(async () => (await runtime?.list({}))?.map(({ name }) => name))
      .toEqual([`${second.metadata.uid}_main_0`])
    await pods.delete(pod('one'), { gracePeriodSeconds: 0 })
    await expect.poll(async () => runtime?.list({})).toEqual([])
  })
})
