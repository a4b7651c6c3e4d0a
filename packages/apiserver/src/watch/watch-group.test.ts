// A failure of some watchers must reach neither the others nor the change stream that they share.

import { encodeObject } from '@homeostat/meta/server'
import { MemoryStore } from '@homeostat/store'
import { expect, onTestFinished, test } from 'vitest'
import { builtinTypes } from '../builtin/builtin-types.ts'
import { WatchCache } from '../cache/watch-cache.ts'
import { objectFilter } from '../registry/object-filter.ts'
import { Watch } from './watch.ts'
import { type EventEncoder, jsonEncoder } from './watch-event.ts'
import { WatchHub } from './watch-hub.ts'
import type { WatchSink } from './watch-sink.ts'

class CollectingSink implements WatchSink {
  readonly framing = 'lines'
  readonly buffered = 0
  closed = false
  text = ''
  frame = (lines: Buffer) => lines
  send(framed: Buffer): void {
    this.text += framed.toString()
  }
  onClose = () => {}
  drained = () => Promise.resolve()
  end(): void {
    this.closed = true
  }
}

test('an event that cannot be shown in one form ends the watches of that form alone', async () => {
  const store = new MemoryStore()
  const cache = await WatchCache.load(store)
  const hub = new WatchHub(cache, { opened: () => {}, events: () => {}, ended: () => {} })
  const following = new AbortController()
  const followed = cache.follow(store, following.signal)
  onTestFinished(async () => {
    hub.close()
    following.abort()
    await followed
    await store.close()
  })
  const type = builtinTypes().find(({ resource }) => resource === 'configmaps')
  if (type === undefined) throw new Error('there are no config maps')
  const watch = async (encoder: EventEncoder) => {
    const sink = new CollectingSink()
    const options = { initialEvents: false, revision: 0, bookmarks: false, markInitialEnd: false, deadline: Infinity }
    const filter = objectFilter(type, undefined, null, null)
    const opened = new Watch(hub, type, cache.resource(type.storage), filter, encoder, sink, options)
    hub.add(opened)
    await opened.run(cache, store)
    return sink
  }
  const json = jsonEncoder('v1', 'ConfigMap')
  const refuse = () => {
    throw new Error('this cannot be shown')
  }
  const broken = await watch({ ...json, key: 'broken', encode: refuse })
  const sound = await watch(json)
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } }
  const note = { time: 0, user: '', manager: '' }
  await store.put(`${type.storage}/default/a`, encodeObject(object), undefined, note)
  await cache.reached(1)
  expect(JSON.parse(broken.text)).toMatchObject({
    type: 'ERROR',
    object: { code: 500, message: expect.stringContaining('this cannot be shown') },
  })
  expect(broken.closed).toBe(true)
  expect(JSON.parse(sound.text)).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } })
  expect(sound.closed).toBe(false)
  expect(cache.failure).toBeUndefined()
})
