import { ManualClock } from '@homeostat/base'
import {
  type ApiObject,
  createInformers,
  type InformerEvent,
  type Informers,
  type InformersOptions,
} from '@homeostat/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { stateOf } from './listener.ts'
import { ModelServer } from './model-server.ts'

interface Stage {
  readonly server: ModelServer
  readonly clock: ManualClock
  readonly informers: Informers
  readonly troubles: string[]
}

function stage(options: InformersOptions = {}): Stage {
  const server = new ModelServer()
  const clock = new ManualClock()
  const troubles: string[] = []
  const onTrouble = ({ message }: Error) => troubles.push(message)
  const informers = createInformers(server.client, { clock, random: () => 0.5, onTrouble, ...options })
  onTestFinished(() => informers.close())
  return { server, clock, informers, troubles }
}

/** All that can happen without time passing has happened. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

function toldOf(changes: InformerEvent<ApiObject>[]): string[] {
  return changes.map(
    ({ type, object: { metadata }, initial }) => `${type} ${metadata.name}${initial ? ' initially' : ''}`,
  )
}

describe('an informer', () => {
  it('lists page by page where a server refuses to stream, and remembers that', async () => {
    const { server, informers, troubles } = stage()
    server.streaming = false
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) server.write(name, '')
    const informer = informers.open('v1', 'Thing')
    await informer.whenSynced()
    expect(stateOf(informer.list())).toEqual(stateOf([...server.objects.values()]))
    const before = server.requests
    await informers.open('v1', 'Thing', { labelSelector: 'a=b' }).whenSynced()
    await settle()
    // Discovery, three pages and a watch.
    expect(server.requests - before).toBe(5)
    expect(troubles).toEqual([])
  })

  it('lists where a server takes the question for an ordinary watch', async () => {
    const { server, clock, informers } = stage()
    server.slowLists = true
    server.write('a', '')
    const informer = informers.open('v1', 'Thing')
    await settle()
    expect(informer.synced).toBe(false)
    clock.advance(10_000)
    await settle()
    expect(informer.synced).toBe(true)
  })

  it('lists where a server sends bookmarks without the end of the initial events, and remembers that', async () => {
    const { server, informers, troubles } = stage()
    server.slowLists = true
    server.write('a', '')
    const informer = informers.open('v1', 'Thing')
    await settle()
    for (const stream of server.streams)
      stream.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '9' } } })
    await informer.whenSynced()
    expect(informer.size).toBe(1)
    expect(troubles).toEqual([])
    await informers.open('v1', 'Thing', { namespace: 'default' }).whenSynced()
  })

  it('resumes at once and without a list when a watch ends as it should', async () => {
    const { server, informers, troubles } = stage()
    const informer = informers.open('v1', 'Thing')
    await informer.whenSynced()
    server.write('a', '')
    server.deliver()
    await settle()
    for (const stream of server.streams) stream.end('clean')
    server.write('b', '')
    const before = server.requests
    await settle()
    server.deliver()
    await settle()
    expect(server.requests - before).toBe(1)
    expect(stateOf(informer.list())).toEqual(stateOf([...server.objects.values()]))
    expect(troubles).toEqual([])
  })

  it('resumes from the last bookmark when the server says nothing for too long', async () => {
    const { server, clock, informers, troubles } = stage({ silenceLimit: '70s' })
    const informer = informers.open('v1', 'Thing')
    await informer.whenSynced()
    server.otherWrite()
    for (const stream of server.streams) {
      stream.position = server.revision
      stream.bookmark()
      stream.silent = true
    }
    await settle()
    expect(informer.revision).toBe(`${server.revision}`)
    server.write('a', '')
    clock.advance(69_999)
    await settle()
    expect(troubles).toEqual([])
    clock.advance(1)
    await settle()
    server.deliver()
    await settle()
    expect(informer.size).toBe(1)
    expect(troubles).toEqual([])
  })

  it('waits for as long as a server that is busy says', async () => {
    const { server, clock, informers } = stage()
    server.refusal = 429
    const informer = informers.open('v1', 'Thing')
    await settle()
    server.refusal = undefined
    clock.advance(1999)
    await settle()
    expect(informer.synced).toBe(false)
    expect(informer.trouble?.message).toBe('answered 429')
    clock.advance(1)
    await settle()
    expect(informer.synced).toBe(true)
    expect(informer.trouble).toBeUndefined()
  })

  it('keeps trying while it may not, and says so', async () => {
    const { server, clock, informers, troubles } = stage()
    server.refusal = 403
    const informer = informers.open('v1', 'Thing')
    for (let round = 0; round < 20; round++) {
      await settle()
      clock.advance(30_000)
    }
    expect(troubles.length).toBe(20)
    server.refusal = undefined
    clock.advance(30_000)
    await settle()
    expect(informer.synced).toBe(true)
  })

  it('waits for a kind that is not served yet, and tells of its objects as deleted when it is not served any more', async () => {
    const { server, clock, informers, troubles } = stage()
    server.served = false
    server.write('a', '')
    const informer = informers.open('v1', 'Thing')
    const changes: InformerEvent<ApiObject>[] = []
    informer.subscribe((change) => changes.push(change))
    for (let round = 0; round < 10; round++) {
      await settle()
      clock.advance(5000)
    }
    expect(troubles[0]).toMatch('does not serve Thing of v1')
    server.served = true
    clock.advance(5000)
    await settle()
    expect(toldOf(changes)).toEqual(['added a initially'])
    server.served = false
    for (const stream of server.streams) stream.end('clean')
    for (let round = 0; round < 3; round++) {
      await settle()
      clock.advance(5000)
    }
    expect(toldOf(changes)).toEqual(['added a initially', 'deleted a'])
    server.served = true
    clock.advance(5000)
    await settle()
    expect(toldOf(changes).at(-1)).toBe('added a')
  })

  it('takes the state of a server whose history began anew', async () => {
    const { server, clock, informers } = stage()
    for (let i = 0; i < 100; i++) server.write('a', '')
    const informer = informers.open('v1', 'Thing')
    await informer.whenSynced()
    const young = new ModelServer(1)
    young.write('b', '')
    server.replaceBy(young)
    for (let round = 0; round < 10; round++) {
      await settle()
      clock.advance(30_000)
    }
    await settle()
    expect(stateOf(informer.list())).toEqual(stateOf([...young.objects.values()]))
  })

  it('leaves out an object without a name, and says so', async () => {
    const { server, informers, troubles } = stage()
    server.streaming = false
    server.write('', '')
    server.write('a', '')
    const informer = informers.open('v1', 'Thing')
    await informer.whenSynced()
    expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['a'])
    expect(troubles).toEqual(['The server lists an object without a name; it is left out.'])
  })

  it('takes an own write by its selection', async () => {
    const { server, informers } = stage()
    const labelled = (name: string, labels: Record<string, string>): ApiObject => {
      const object = server.write(name, '')
      return { ...object, metadata: { ...object.metadata, labels } }
    }
    const informer = informers.open('v1', 'Thing', { labelSelector: 'app=web' })
    await informer.whenSynced()
    informer.wrote(labelled('a', { app: 'web' }))
    informer.wrote(labelled('b', { app: 'db' }))
    expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['a'])
    informer.wrote(labelled('a', { app: 'db' }))
    expect(informer.size).toBe(0)
    const named = informers.open('v1', 'Thing', { namespace: 'other' })
    await named.whenSynced()
    named.wrote(labelled('c', {}))
    expect(named.get({ namespace: 'default', name: 'c' })).toBeUndefined()
  })

  it('gives the whole object to keep, once per change', async () => {
    const kept: unknown[] = []
    const { server, informers } = stage({
      keep: (object) => {
        kept.push(object.metadata.managedFields)
        return object
      },
    })
    server.write('a', '')
    const informer = informers.open('v1', 'Thing')
    await informer.whenSynced()
    informer.wrote(server.write('a', ''))
    server.deliver()
    await settle()
    expect(kept).toEqual([[{}], [{}]])
  })
})

describe('informers', () => {
  it('share what has the same selection, and end it with the last holder', async () => {
    const { server, clock, informers } = stage()
    const [one, two] = [informers.open('v1', 'Thing'), informers.open('v1', 'Thing', { namespace: '' })]
    const other = informers.open('v1', 'Thing', { metadataOnly: true })
    await Promise.all([one, two, other].map((informer) => informer.whenSynced()))
    expect(informers.size).toBe(2)
    expect(server.streams.size).toBe(2)
    const heard: string[] = []
    one.subscribe(() => heard.push('one'))
    two.subscribe(() => heard.push('two'))
    one.close()
    one.close()
    server.write('a', '')
    server.deliver()
    await settle()
    expect(heard).toEqual(['two'])
    two.close()
    other.close()
    await settle()
    expect(informers.size).toBe(0)
    expect(server.streams.size).toBe(0)
    expect(clock.timers).toBe(0)
  })

  it('leave nothing behind when they are closed while they wait', async () => {
    const { server, clock, informers } = stage()
    server.refusal = 'broken'
    const informer = informers.open('v1', 'Thing')
    const waiting = expect(informer.whenSynced()).rejects.toThrow('was closed')
    await settle()
    expect(clock.timers).toBe(1)
    informers.close()
    await waiting
    expect(clock.timers).toBe(0)
    expect(() => informers.open('v1', 'Thing')).toThrow('closed')
    await expect(informer.whenSynced()).rejects.toThrow('was closed')
  })

  it('let a caller stop to wait', async () => {
    const { server, informers } = stage()
    server.refusal = 'broken'
    const informer = informers.open('v1', 'Thing')
    const abort = new AbortController()
    const waiting = expect(informer.whenSynced(abort.signal)).rejects.toThrow('enough')
    abort.abort(new Error('enough'))
    await waiting
    informer.close()
    await expect(informer.whenSynced()).rejects.toThrow('was closed')
  })
})
