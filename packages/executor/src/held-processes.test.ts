import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeProcess } from './fake-colony.fixture.ts'
import { type Batch, HeldProcesses, idOf } from './held-processes.ts'
import type { Attempt, ProcessOutcome } from './protocol.ts'

const process = (name: string, attempt = 1) => makeProcess(name, { status: { attempt } })
const succeeded = (process: string, attempt = 1, output?: unknown): ProcessOutcome => ({
  process,
  attempt,
  result: 'Succeeded',
  ...(output !== undefined && { output }),
})
const names = (batch: Batch | undefined) => batch?.request.finished?.map(({ process }) => process)

function heldOf(concurrency: number, running: readonly string[] = [], ended: readonly string[] = []): HeldProcesses {
  const held = new HeldProcesses({ concurrency, prefetch: 0 })
  held.assigned([...running, ...ended].map((name) => process(name)))
  held.begin()
  for (const name of ended) held.ended(succeeded(name))
  return held
}

test.each<[string, HeldProcesses, { poll: object | undefined; report: object | undefined }]>([
  ['nothing runs', heldOf(2), { poll: { max: 2 }, report: undefined }],
  ['one of two runs', heldOf(2, ['a']), { poll: { max: 1 }, report: undefined }],
  ['all run', heldOf(1, ['a']), { poll: undefined, report: undefined }],
  ['the only one ended', heldOf(1, [], ['a']), { poll: { max: 1, finished: [succeeded('a')] }, report: undefined }],
  [
    'all run and one more ended',
    heldOf(1, ['b'], ['a']),
    { poll: undefined, report: { max: 0, finished: [succeeded('a')] } },
  ],
])('when %s', (_, held, { poll, report }) => {
  expect(held.next('report')?.request).toEqual(report)
  expect(held.next('poll')?.request).toEqual(poll)
})

test('an outcome is reported at once while a poll waits', () => {
  const held = heldOf(2, ['a'])
  expect(held.next('poll')?.request.max).toBe(1)
  held.ended(succeeded('a'))
  expect(held.next('poll')).toBeUndefined()
  expect(names(held.next('report'))).toEqual(['a'])
  expect(held.next('report')).toBeUndefined()
})

test('a stopped held only reports', () => {
  const held = heldOf(2, ['b'], ['a'])
  held.stop()
  expect(held.next('poll')).toBeUndefined()
  expect(names(held.next('report'))).toEqual(['a'])
})

test('a response that is repeated starts nothing twice, and a new attempt is another', () => {
  const held = heldOf(3)
  held.assigned([process('a'), process('b')])
  expect(held.begin().map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
  held.assigned([process('a'), process('b', 2)])
  expect(held.begin().map(({ status }) => status.attempt)).toEqual([2])
  expect(held.running).toBe(3)
})

test('what ended is held until the server knows', () => {
  const held = heldOf(1, [], ['a'])
  expect(held.holding).toEqual([{ process: 'a', attempt: 1 }])
  const batch = held.next('poll')
  expect(held.holding).toEqual([{ process: 'a', attempt: 1 }])
  if (batch !== undefined) held.taken(batch)
  expect(held.holding).toEqual([])
  expect(held.hasUnsent).toBe(false)
})

test('what nobody answered is sent again, before what ended later', () => {
  const held = heldOf(1, [], ['a'])
  const batch = held.next('poll')
  held.assigned([process('b')])
  held.ended(succeeded('b'))
  if (batch !== undefined) held.unsent(batch)
  expect(names(held.next('poll'))).toEqual(['a', 'b'])
})

const causes = (...indexes: number[]) => new Map(indexes.map((index) => [index, `cause ${index}`]))

test.each<[string, Map<number, string>, boolean, { dropped: string[]; next: string[] | undefined }]>([
  ['of another attempt are dropped, the rest is sent again', causes(1), true, { dropped: ['b'], next: ['a', 'c'] }],
  ['cannot be read are said to have failed', causes(1), false, { dropped: [], next: ['a', 'b', 'c'] }],
  ['have no name among several are sent one by one', causes(), true, { dropped: [], next: ['a'] }],
])('outcomes that %s', (_, named, final, { dropped, next }) => {
  const held = heldOf(3, [], ['a', 'b', 'c'])
  const batch = held.next('poll')
  if (batch === undefined) throw new Error('nothing to send')
  const given = held.refused(batch, { causes: named, final, message: 'refused' })
  expect(given.map(({ outcome }) => outcome.process)).toEqual(dropped)
  expect(names(held.next('poll'))).toEqual(next)
})

test('an end that is refused by itself, without a name, is meant', () => {
  const held = heldOf(1, [], ['a'])
  const first = held.next('poll') as Batch
  expect(held.refused(first, { causes: causes(), final: false, message: 'too large' })).toEqual([])
  const second = held.next('poll') as Batch
  expect(second.request.finished).toEqual([
    {
      process: 'a',
      attempt: 1,
      result: 'Failed',
      retryable: false,
      errors: ['the server refused the result (Succeeded): too large'],
    },
  ])
  expect(held.refused(second, { causes: causes(), final: false, message: 'no' })).toHaveLength(1)
  expect(held.hasUnsent).toBe(false)
})

test('large outcomes go in several calls, and take places until they are sent', () => {
  const held = new HeldProcesses({ concurrency: 8, prefetch: 0 })
  const large = 'x'.repeat(250_000)
  held.assigned('abcdef'.split('').map((name) => process(name)))
  for (const name of 'abcdef') held.ended(succeeded(name, 1, large))
  const poll = held.next('poll')
  expect(names(poll)).toEqual(['a', 'b', 'c', 'd'])
  expect(poll?.request.max).toBe(6)
  expect(names(held.next('report'))).toEqual(['e', 'f'])
})

test('a cancel is reported once; a lost attempt, too, and its outcome is dropped', () => {
  const held = heldOf(3, ['a', 'b'], ['c'])
  const at = (...list: string[]): Attempt[] => list.map((name) => ({ process: name, attempt: 1 }))
  expect(held.cancelled(at('a', 'x'))).toEqual(['a/1'])
  expect(held.cancelled(at('a'))).toEqual([])
  expect(held.lost(at('a', 'b', 'c'))).toEqual(['a/1', 'b/1'])
  expect(held.holding).toEqual([])
  expect(held.running).toBe(2)
  held.ended(succeeded('a'))
  expect(held.hasUnsent).toBe(false)
})

test('what runs takes from cpu and memory', () => {
  const held = new HeldProcesses({
    concurrency: 4,
    prefetch: 0,
    capabilities: { cpu: '4', memory: '1Gi', gpu: 'a100' },
  })
  held.assigned([
    makeProcess('a', { conditions: { cpu: '1500m', memory: '256Mi' } }),
    makeProcess('b', { conditions: { memory: '1Gi' } }),
  ])
  expect(held.next('poll')?.request.free).toEqual({ cpu: '2500m', memory: '0' })
})

function fetchingAhead(...names: string[]): HeldProcesses {
  const held = new HeldProcesses({ concurrency: 1, prefetch: 2 })
  held.isQuick = true
  held.assigned(names.map((name) => process(name)))
  return held
}
const started = (held: HeldProcesses) => held.begin().map(({ metadata }) => metadata.name)

test('while functions end soon, more is fetched than can begin, which the request says', () => {
  const held = fetchingAhead()
  expect(held.next('poll')?.request).toEqual({ max: 3, prefetch: 2 })
  expect(fetchingAhead('a').next('poll')?.request).toEqual({ max: 2, prefetch: 2 })
  expect(fetchingAhead('a', 'b', 'c').next('poll')).toBeUndefined()
  const slow = fetchingAhead('a')
  slow.isQuick = false
  expect(slow.next('poll')).toBeUndefined()
})

test('what was fetched ahead begins in order, each when the one before it has ended, and is held meanwhile', () => {
  const held = fetchingAhead('a', 'b')
  expect(started(held)).toEqual(['a'])
  expect(started(held)).toEqual([])
  expect([held.running, held.ahead]).toEqual([1, 1])
  expect(held.holding.map(idOf)).toEqual(['a/1', 'b/1'])
  held.ended(succeeded('a'))
  expect(started(held)).toEqual(['b'])
})

test('what has not begun is given back once, also when the call has to be repeated, and never begins', () => {
  const held = fetchingAhead('a', 'b', 'c')
  started(held)
  held.isQuick = false
  held.giveBack()
  const call = held.next('report') as Batch
  expect(call.request).toEqual({ max: 0, returned: ['b', 'c'].map((name) => ({ process: name, attempt: 1 })) })
  expect(held.hasUnsent).toBe(true)
  held.unsent(call)
  const again = held.next('report') as Batch
  expect(again.request).toEqual(call.request)
  held.taken(again)
  expect(held.hasUnsent).toBe(false)
  held.ended(succeeded('a'))
  expect(started(held)).toEqual([])
})

test('at the end, what has not begun is given back, and so is what comes late', () => {
  const held = fetchingAhead('a', 'b')
  started(held)
  held.stop()
  held.assigned([process('c')])
  expect(held.next('report')?.request.returned?.map(idOf)).toEqual(['b/1', 'c/1'])
})

test('what is cancelled before it begins ends without running; what is lost is forgotten', () => {
  const held = fetchingAhead('a', 'b', 'c')
  started(held)
  held.cancelled([{ process: 'b', attempt: 1 }])
  expect(held.lost([{ process: 'c', attempt: 1 }])).toEqual([])
  expect(held.next('poll')?.request.finished).toEqual([{ process: 'b', attempt: 1, result: 'Cancelled' }])
  held.ended(succeeded('a'))
  expect(started(held)).toEqual([])
})

test('whatever happens, each end is sent until it is taken or dropped, and never more runs than there is room', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('poll' as const), given: fc.nat(3) }),
    fc.record({ do: fc.constantFrom('report', 'end', 'lose', 'answer', 'break', 'refuse'), at: fc.nat() }),
  )
  const most = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.nat(3))
  const check = fc.property(most, fc.array(step, { maxLength: 60 }), ([concurrency, prefetch], steps) => {
    const held = new HeldProcesses({ concurrency, prefetch })
    held.isQuick = true
    const begin = () => {
      for (const { metadata } of held.begin()) running.add(`${metadata.name}`)
    }
    const running = new Set<string>()
    const owed = new Set<string>()
    const calls: Batch[] = []
    let last = 0
    const pick = <T>(all: readonly T[], at: number): T | undefined => all[at % Math.max(1, all.length)]
    const settle = (batch: Batch | undefined, how: string) => {
      if (batch === undefined) return
      calls.splice(calls.indexOf(batch), 1)
      if (how === 'break') return held.unsent(batch)
      const gone = how === 'refuse' ? batch.outcomes.slice(0, 1) : batch.outcomes
      if (how === 'refuse') held.refused(batch, { causes: new Map([[0, 'no']]), final: true, message: '' })
      else held.taken(batch)
      for (const { outcome } of gone) owed.delete(idOf(outcome))
    }
    for (const one of steps) {
      if (one.do === 'poll') {
        const batch = held.next('poll')
        if (batch === undefined) continue
        const count = Math.min('given' in one ? one.given : 0, batch.request.max ?? 0)
        held.taken(batch)
        for (const { outcome } of batch.outcomes) owed.delete(idOf(outcome))
        const fresh = Array.from({ length: count }, () => `p${++last}`)
        held.assigned(fresh.map((name) => process(name)))
        begin()
        continue
      }
      const at = 'at' in one ? one.at : 0
      const name = pick([...running], at)
      if (one.do === 'report') calls.push(...[held.next('report')].filter((batch) => batch !== undefined))
      else if (one.do === 'end' && name !== undefined) {
        running.delete(name)
        owed.add(`${name}/1`)
        held.ended(succeeded(name))
        begin()
      } else if (one.do === 'lose' && name !== undefined) {
        held.lost([{ process: name, attempt: 1 }])
        running.delete(name)
        held.ended(succeeded(name))
        begin()
      } else settle(pick(calls, at), one.do)
      expect(held.running).toBeLessThanOrEqual(concurrency)
    }
    while (calls.length > 0) settle(calls[0], 'break')
    const ids = held.holding.map(idOf)
    for (const id of owed) expect(ids).toContain(id)
    for (const id of running) expect(ids).toContain(`${id}/1`)
    expect(ids).toHaveLength(owed.size + running.size + held.ahead)
  })
  fc.assert(check, { numRuns: 200 })
})
