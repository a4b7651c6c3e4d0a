import { ManualClock, silentLog } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import type { ApiObject, Client } from '@homeostat/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.fixture.ts'
import { EventRecorder, type RecorderOptions } from './recorder.ts'

interface EventObject extends ApiObject {
  note?: string
  type?: string
  series?: { count: number }
  regarding?: object
  reportingInstance?: string
}

let server: TestServer
let config: ApiObject
const clock = new ManualClock(Date.parse('2030-01-01T00:00:00Z'))
const opened: EventRecorder[] = []

beforeEach(async () => {
  server = await startTestServer()
  config = await server.client.resource('v1', 'ConfigMap').create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings', namespace: 'default' },
  })
})
afterEach(async () => {
  for (const recorder of opened.splice(0)) await recorder.close()
  await server.close()
})

function recorder(options: Partial<RecorderOptions> = {}): EventRecorder {
  const made = new EventRecorder({
    client: server.client,
    controller: 'ex.io/sites',
    instance: 'host_1',
    clock,
    log: silentLog,
    ...options,
  })
  opened.push(made)
  return made
}

const events = async (): Promise<EventObject[]> =>
  (await server.client.resourceOf<EventObject>('events.k8s.io/v1', 'Event').list({ namespace: 'default' })).items

async function settle(one: EventRecorder, ms = 0): Promise<void> {
  clock.advance(ms)
  await one.idle()
}

describe('the recorder', () => {
  it('writes an event about an object', async () => {
    const sink = recorder()
    sink.record(config, { reason: 'Started', message: 'it works' })
    await settle(sink)
    const { uid, resourceVersion } = config.metadata
    expect(await events()).toMatchObject([
      {
        type: 'Normal',
        reason: 'Started',
        note: 'it works',
        action: 'Reconcile',
        reportingController: 'ex.io/sites',
        reportingInstance: 'host_1',
        regarding: { kind: 'ConfigMap', name: 'settings', uid, resourceVersion },
      },
    ])
  })

  it('counts what happens again, and writes the last count at the end', async () => {
    const sink = recorder()
    for (let at = 0; at < 5; at++) sink.record(config, { type: 'Warning', reason: 'Failed', message: 'no' })
    await settle(sink)
    expect(await events()).toMatchObject([{ type: 'Warning', series: { count: 5 } }])
    for (let at = 0; at < 5; at++) sink.record(config, { type: 'Warning', reason: 'Failed', message: 'no' })
    await settle(sink, 9_999)
    expect((await events())[0]?.series?.count).toBe(5)
    await settle(sink, 1)
    expect((await events())[0]?.series?.count).toBe(10)
    sink.record(config, { type: 'Warning', reason: 'Failed', message: 'no' })
    await sink.close()
    expect((await events())[0]?.series?.count).toBe(11)
  })

  it('tells what still happens anew when the event has ended meanwhile', async () => {
    const sink = recorder()
    sink.record(config, { reason: 'Again', message: 'x' })
    await settle(sink)
    await server.client.resource('events.k8s.io/v1', 'Event').deleteAll({ namespace: 'default' })
    sink.record(config, { reason: 'Again', message: 'x' })
    await settle(sink, 10_000)
    expect(await events()).toMatchObject([{ reason: 'Again', series: { count: 2 } }])
  })

  it('cuts long messages instead of losing the event', async () => {
    const sink = recorder()
    sink.record(config, { reason: 'Long', message: '\u20ac'.repeat(2000) })
    await settle(sink)
    expect(Buffer.byteLength((await events())[0]?.note ?? '')).toBe(1023)
  })

  it('drops what the server refuses, and goes on', async () => {
    const sink = recorder()
    sink.record(config, { reason: '', message: 'without a reason' })
    sink.record(config, { reason: 'Good', message: 'x' })
    await settle(sink)
    expect(sink.dropped).toBe(1)
    expect(await events()).toMatchObject([{ reason: 'Good' }])
  })

  it('tries again when the server could not be reached', async () => {
    let broken = true
    const flaky: Client = {
      ...server.client,
      resourceOf: (apiVersion, kind) => {
        if (broken) throw new Error('no connection')
        return server.client.resourceOf(apiVersion, kind)
      },
    }
    const sink = recorder({ client: flaky })
    sink.record(config, { reason: 'Late', message: 'x' })
    await settle(sink)
    broken = false
    await settle(sink, 2000)
    expect(await events()).toMatchObject([{ reason: 'Late' }])
  })

  it('does not wait forever at its end', async () => {
    const never = new Promise<never>(() => {})
    const stuck = {
      ...server.client,
      resourceOf: () => ({
        create: (_: unknown, { signal }: { signal: AbortSignal }) =>
          Promise.race([
            never,
            new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
          ]),
      }),
    } as unknown as Client
    const sink = recorder({ client: stuck })
    sink.record(config, { reason: 'Stuck', message: 'x' })
    clock.advance(0)
    const closed = sink.close()
    clock.advance(2000)
    await closed
    sink.record(config, { reason: 'TooLate', message: 'x' })
    expect(clock.timers).toBe(0)
  })

  it('leaves nothing behind that would run', async () => {
    const sink = recorder()
    sink.record(config, { reason: 'One', message: 'x' })
    await Promise.all([sink.close(), sink.close()])
    expect(await events()).toHaveLength(1)
    await eventually(() => clock.timers === 0)
  })
})
