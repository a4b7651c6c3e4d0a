import type { ApiObject, Client } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import { operator } from '@homeostat/operator'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { type TestEnv, type TestEnvOptions, testEnv } from './index.ts'

async function start(options?: TestEnvOptions): Promise<TestEnv> {
  const env = await testEnv(options)
  onTestFinished(() => env.close())
  return env
}

let runs = 0
const note = operator('test.homeostat.dev/v1/Note', { spec: z.object({ text: z.string() }) }, ({ spec, child }) => {
  runs++
  return [child('v1', 'ConfigMap', { data: { text: spec.text } })]
})
const manifest = (name: string, text = 'hello') => ({
  apiVersion: 'test.homeostat.dev/v1',
  kind: 'Note',
  metadata: { name, namespace: 'default' },
  spec: { text },
})
const at = (kind: string, name: string, apiVersion = 'v1') => ({ apiVersion, kind, name, namespace: 'default' })
const map = (name: string) => at('ConfigMap', name)

describe('testEnv', () => {
  it('has the first custom resource without waiting for any timer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const env = await start({ definitions: [note] })
    await env.apply(manifest('first'))
    expect(await env.client.resource('test.homeostat.dev/v1', 'Note').get(at('Note', 'first'))).toMatchObject({
      spec: { text: 'hello' },
    })
    await env.close()
  })

  it('runs operators, whose children go with their owner', async () => {
    const env = await start({ definitions: [note] })
    env.run(note)
    await env.apply(manifest('a'))
    await env.until<ApiObject & { data?: { text?: string } }>(map('a'), ({ data }) => data?.text === 'hello')
    await env.client.resource('test.homeostat.dev/v1', 'Note').delete({ name: 'a', namespace: 'default' })
    await env.untilGone(map('a'))
  })

  it('ends namespaces with all that is in them', async () => {
    const env = await start()
    await env.apply(
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'lab' } },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'lab' }, data: {} },
    )
    await env.client.resource('v1', 'Namespace').delete({ name: 'lab' })
    await env.untilGone({ apiVersion: 'v1', kind: 'Namespace', name: 'lab' })
    const gone = env.client.resource('v1', 'ConfigMap').find({ name: 'a', namespace: 'lab' })
    expect(await gone).toBeUndefined()
  })

  it('is settled when operators have seen everything, and a system at rest writes nothing', async () => {
    const env = await start({ definitions: [note] })
    const first = env.run(note, { name: 'notes' })
    await first.ready
    await env.apply(...Array.from({ length: 20 }, (_, i) => manifest(`n${i}`)))
    await env.settled()
    expect(await count(env.client, 'ConfigMap')).toBeGreaterThanOrEqual(20)
    expect(env.takeWrites().length).toBeGreaterThanOrEqual(20)
    await first.close()
    const before = runs
    const again = env.run(note, { name: 'notes' })
    await again.ready
    await env.settled()
    expect(runs - before).toBeGreaterThanOrEqual(20)
    expect(env.takeWrites()).toEqual([])
  })

  it('says so when operators never come to rest', async () => {
    const restless = operator('test.homeostat.dev/v1/Note', { spec: z.object({ text: z.string() }) }, ({ child }) => [
      child('v1', 'ConfigMap', { data: { text: String(runs++) } }),
    ])
    const env = await start({ definitions: [note] })
    await env.run(restless, { name: 'restless' }).ready
    await env.apply(manifest('a'))
    await expect(env.settled('300ms')).rejects.toThrow('did not come to rest within 300 ms')
  })

  it('jumps ahead in time: events expire, and what was due is done', async () => {
    const hourly = operator('test.homeostat.dev/v1/Note', { spec: z.object({ text: z.string() }) }, ({ clock }) => {
      runs++
      expect(clock).toBe(env.clock)
      return { requeueAfter: '1h' }
    })
    const env = await start({ definitions: [note] })
    await env.run(hourly, { name: 'hourly' }).ready
    await env.apply(manifest('a'))
    await env.settled()
    const before = runs
    await env.advance('59m')
    expect(runs).toBe(before)
    await env.advance('1m1s')
    expect(runs).toBe(before + 1)
  })

  it('stands still when it is frozen', async () => {
    const env = await start({ now: '2031-05-06T07:08:09Z', frozen: true })
    const [created] = await env.apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'default' },
    })
    expect(created?.metadata.creationTimestamp).toBe('2031-05-06T07:08:09Z')
  })

  it('tells what an object was when it never became what was wanted', async () => {
    const env = await start()
    await expect(env.until(map('none'), () => true, '50ms')).rejects.toThrow(
      'ConfigMap default/none was not as wanted within 50 ms; it does not exist',
    )
    await env.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } })
    await expect(env.until(map('a'), () => false, '50ms')).rejects.toThrow(/it is \{\s+"kind"|it is \{\s+"apiVersion"/)
    await expect(env.untilGone(map('a'), '50ms')).rejects.toThrow('is still there after 50 ms (nobody deleted it)')
  })

  it('listens only when asked to', async () => {
    expect((await start()).url).toBeUndefined()
    const { url } = await start({ listen: true })
    expect((await fetch(`${url}/version`)).status).toBe(200)
  })

  it('refuses what cannot be a definition, and a time that is none', async () => {
    const broken = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'x' },
      spec: { versions: [] },
    }
    await expect(testEnv({ definitions: [broken] })).rejects.toSatisfy((error) => isStatusError(error, 'Invalid'))
    await expect(testEnv({ now: 'soon' })).rejects.toThrow('now "soon" is not a time')
  })
})

async function count(client: Client, kind: string): Promise<number> {
  return (await client.resourceOf('v1', kind).list({ namespace: 'default' })).items.length
}
