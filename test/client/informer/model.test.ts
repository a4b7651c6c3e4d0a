import { ManualClock } from '@homeostat/base'
import { type ApiObject, createInformers, type Informer } from '@homeostat/client'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Listener, stateOf } from './listener.ts'
import { ModelServer, type Refusal } from './model-server.ts'

interface Thing extends ApiObject {
  data: string
}

type Step =
  | { readonly do: 'write' | 'own write' | 'own write, told late' | 'delete' | 'own delete'; readonly name: string }
  | { readonly do: 'replay'; readonly nth: number }
  | { readonly do: 'deliver'; readonly most: number }
  | { readonly do: 'refuse'; readonly with: Refusal }
  | { readonly do: 'advance'; readonly ms: number }
  | {
      readonly do:
        | 'tell late'
        | 'other write'
        | 'bookmark'
        | 'end'
        | 'break'
        | 'silence'
        | 'error 410'
        | 'error 500'
        | 'garbage'
        | 'nameless'
        | 'odd type'
        | 'compact'
        | 'accept'
        | 'refuse streams'
        | 'slow lists'
        | 'subscribe'
        | 'wait'
    }

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('write' as const), name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('delete', 'own write', 'own write, told late'), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('own delete' as const), name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('replay' as const), nth: fc.nat(20) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('deliver' as const), most: fc.integer({ min: 1, max: 5 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('refuse' as const),
      with: fc.constantFrom<Refusal>(401, 403, 410, 429, 500, 503, 'broken'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.integer({ min: 1, max: 80_000 }) }) },
  {
    weight: 10,
    arbitrary: fc.constantFrom(
      { do: 'tell late' } as const,
      { do: 'other write' } as const,
      { do: 'bookmark' } as const,
      { do: 'end' } as const,
      { do: 'break' } as const,
      { do: 'silence' } as const,
      { do: 'error 410' } as const,
      { do: 'error 500' } as const,
      { do: 'garbage' } as const,
      { do: 'nameless' } as const,
      { do: 'odd type' } as const,
      { do: 'compact' } as const,
      { do: 'accept' } as const,
      { do: 'refuse streams' } as const,
      { do: 'slow lists' } as const,
      { do: 'subscribe' } as const,
      { do: 'wait' } as const,
    ),
  },
)

describe('an informer of a server with faults', () => {
  it('ends with the state of the server and told each change once, in order, whatever happened', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60, size: 'max' }),
        fc.integer({ min: 1, max: 120 }),
        async (steps, first) => {
          await playStory(steps, first)
        },
      ),
      { numRuns: 150 },
    )
  })
})

async function playStory(steps: readonly Step[], firstRevision: number): Promise<void> {
  const server = new ModelServer(firstRevision)
  server.write('a', 'old')
  server.write('b', 'old')
  const clock = new ManualClock()
  const informers = createInformers(server.client, { clock, random: () => 0.5 })
  const informer = informers.open<Thing>('v1', 'Thing')
  informer.addIndex('data', ({ data }) => [data])
  const listeners = [new Listener(informer)]
  const late: ApiObject[] = []
  for (const [at, taken] of steps.entries()) {
    takeStep(taken, at, { server, clock, informer, late, listeners })
    await settle()
    expectIndex(informer)
  }
  server.refusal = undefined
  server.slowLists = false
  for (const object of late) informer.wrote(object as Thing)
  for (let round = 0; round < 8; round++) {
    await settle()
    clock.advance(80_000)
    await settle()
    server.deliver()
    for (const stream of server.streams) stream.bookmark()
  }
  await settle()
  const wanted = stateOf([...server.objects.values()])
  expect(stateOf(informer.list())).toEqual(wanted)
  expectIndex(informer)
  for (const listener of listeners) {
    expect(listener.problems).toEqual([])
    expect(listener.state()).toEqual(wanted)
  }
  expect(informer.trouble).toBeUndefined()
  informers.close()
  await settle()
  expect(clock.timers).toBe(0)
  expect(server.streams.size).toBe(0)
}

interface Scene {
  readonly server: ModelServer
  readonly clock: ManualClock
  readonly informer: Informer<Thing>
  readonly late: ApiObject[]
  readonly listeners: Listener<Thing>[]
}

function takeStep(step: Step, at: number, { server, clock, informer, late, listeners }: Scene): void {
  const streams = [...server.streams]
  switch (step.do) {
    case 'write':
      server.write(step.name, `data-${at % 3}`, 1 + (at % 4))
      break
    case 'own write':
      informer.wrote(server.write(step.name, `data-${at % 3}`) as Thing)
      expect(informer.get({ namespace: 'default', name: step.name })?.metadata.resourceVersion).toBe(
        `${server.revision}`,
      )
      break
    case 'own write, told late':
      late.push(server.write(step.name, `data-${at % 3}`))
      break
    case 'tell late':
      for (const object of late.splice(0).reverse()) informer.wrote(object as Thing)
      break
    case 'delete':
      server.delete(step.name)
      break
    case 'own delete': {
      const revision = server.delete(step.name)
      if (revision === undefined) break
      informer.removed({ namespace: 'default', name: step.name }, revision)
      expect(informer.get({ namespace: 'default', name: step.name })).toBeUndefined()
      break
    }
    case 'other write':
      server.otherWrite()
      break
    case 'replay':
      for (const stream of streams) stream.replay(step.nth)
      break
    case 'deliver':
      server.deliver(step.most)
      break
    case 'bookmark':
      for (const stream of streams) if (!stream.silent) stream.bookmark()
      break
    case 'end':
      for (const stream of streams) stream.end('clean')
      break
    case 'break':
      for (const stream of streams) stream.end(new Error('reset'))
      break
    case 'silence':
      for (const stream of streams) stream.silent = true
      break
    case 'error 410':
      for (const stream of streams) stream.fail(410)
      break
    case 'error 500':
      for (const stream of streams) stream.fail(500)
      break
    case 'garbage':
      for (const stream of streams) stream.sendText('{"type":"ADDED","obj\n')
      break
    case 'nameless':
      for (const stream of streams) stream.send({ type: 'ADDED', object: { metadata: {} } })
      break
    case 'odd type':
      for (const stream of streams) stream.send({ type: 'SURPRISE', object: { metadata: { name: 'a' } } })
      break
    case 'compact':
      server.compact()
      break
    case 'refuse':
      server.refusal = step.with
      break
    case 'accept':
      server.refusal = undefined
      break
    case 'refuse streams':
      server.streaming = false
      break
    case 'slow lists':
      server.slowLists = !server.slowLists
      break
    case 'advance':
      clock.advance(step.ms)
      break
    case 'subscribe':
      if (listeners.length < 4) listeners.push(new Listener(informer))
      break
    case 'wait':
      break
  }
}

function expectIndex(informer: Informer<Thing>): void {
  for (const data of ['old', 'data-0', 'data-1', 'data-2']) {
    const wanted = informer.list().filter((thing) => thing.data === data)
    expect(new Set(informer.byIndex('data', data))).toEqual(new Set(wanted))
  }
}

/** All that can happen without time passing has happened. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
}
