import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeProcess } from './fake-colony.fixture.ts'
import { type Batch, idOf, ProcessBook } from './process-book.ts'
import type { Attempt, Finished } from './protocol.ts'

const process = (name: string, attempt = 1) => makeProcess(name, { status: { attempt } })
const succeeded = (process: string, attempt = 1, output?: unknown): Finished => ({
  process,
  attempt,
  result: 'Succeeded',
  ...(output !== undefined && { output }),
})
const names = (batch: Batch | undefined) => batch?.request.finished?.map(({ process }) => process)

function bookOf(concurrency: number, running: readonly string[] = [], ended: readonly string[] = []): ProcessBook {
  const book = new ProcessBook({ concurrency })
  book.assigned([...running, ...ended].map((name) => process(name)))
  for (const name of ended) book.ended(succeeded(name))
  return book
}

test.each<[string, ProcessBook, { poll: object | undefined; report: object | undefined }]>([
  ['nothing runs', bookOf(2), { poll: { max: 2 }, report: undefined }],
  ['one of two runs', bookOf(2, ['a']), { poll: { max: 1 }, report: undefined }],
  ['all run', bookOf(1, ['a']), { poll: undefined, report: undefined }],
  ['the only one ended', bookOf(1, [], ['a']), { poll: { max: 1, finished: [succeeded('a')] }, report: undefined }],
  [
    'all run and one more ended',
    bookOf(1, ['b'], ['a']),
    { poll: undefined, report: { max: 0, finished: [succeeded('a')] } },
  ],
])('when %s', (_, book, { poll, report }) => {
  expect(book.next('report')?.request).toEqual(report)
  expect(book.next('poll')?.request).toEqual(poll)
})

test('what ends while a poll waits is reported at once', () => {
  const book = bookOf(2, ['a'])
  expect(book.next('poll')?.request.max).toBe(1)
  book.ended(succeeded('a'))
  expect(book.next('poll')).toBeUndefined()
  expect(names(book.next('report'))).toEqual(['a'])
  expect(book.next('report')).toBeUndefined()
})

test('a stopped book only reports', () => {
  const book = bookOf(2, ['b'], ['a'])
  book.stop()
  expect(book.next('poll')).toBeUndefined()
  expect(names(book.next('report'))).toEqual(['a'])
})

test('an answer that is repeated starts nothing twice, and a new attempt is another', () => {
  const book = bookOf(3)
  expect(book.assigned([process('a'), process('b')]).map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
  expect(book.assigned([process('a'), process('b', 2)]).map(({ status }) => status.attempt)).toEqual([2])
  expect(book.running).toBe(3)
})

test('what ended is held until the server knows', () => {
  const book = bookOf(1, [], ['a'])
  expect(book.holding).toEqual([{ process: 'a', attempt: 1 }])
  const batch = book.next('poll')
  expect(book.holding).toEqual([{ process: 'a', attempt: 1 }])
  if (batch !== undefined) book.taken(batch)
  expect(book.holding).toEqual([])
  expect(book.hasEnds).toBe(false)
})

test('what nobody answered is sent again, before what ended later', () => {
  const book = bookOf(1, [], ['a'])
  const batch = book.next('poll')
  book.assigned([process('b')])
  book.ended(succeeded('b'))
  if (batch !== undefined) book.unsent(batch)
  expect(names(book.next('poll'))).toEqual(['a', 'b'])
})

const causes = (...indexes: number[]) => new Map(indexes.map((index) => [index, `cause ${index}`]))

test.each<[string, Map<number, string>, boolean, { dropped: string[]; next: string[] | undefined }]>([
  ['of another attempt are dropped, the rest is sent again', causes(1), true, { dropped: ['b'], next: ['a', 'c'] }],
  ['cannot be read are said to have failed', causes(1), false, { dropped: [], next: ['a', 'b', 'c'] }],
  ['have no name among several are sent one by one', causes(), true, { dropped: [], next: ['a'] }],
])('ends that %s', (_, named, final, { dropped, next }) => {
  const book = bookOf(3, [], ['a', 'b', 'c'])
  const batch = book.next('poll')
  if (batch === undefined) throw new Error('nothing to send')
  const given = book.refused(batch, { causes: named, final, message: 'refused' })
  expect(given.map(({ finished }) => finished.process)).toEqual(dropped)
  expect(names(book.next('poll'))).toEqual(next)
})

test('an end that is refused by itself, without a name, is meant', () => {
  const book = bookOf(1, [], ['a'])
  const first = book.next('poll') as Batch
  expect(book.refused(first, { causes: causes(), final: false, message: 'too large' })).toEqual([])
  const second = book.next('poll') as Batch
  expect(second.request.finished).toEqual([
    {
      process: 'a',
      attempt: 1,
      result: 'Failed',
      retryable: false,
      errors: ['the server refused the result (Succeeded): too large'],
    },
  ])
  expect(book.refused(second, { causes: causes(), final: false, message: 'no' })).toHaveLength(1)
  expect(book.hasEnds).toBe(false)
})

test('large ends go in several calls, and take places until they are sent', () => {
  const book = new ProcessBook({ concurrency: 8 })
  const large = 'x'.repeat(250_000)
  book.assigned('abcdef'.split('').map((name) => process(name)))
  for (const name of 'abcdef') book.ended(succeeded(name, 1, large))
  const poll = book.next('poll')
  expect(names(poll)).toEqual(['a', 'b', 'c', 'd'])
  expect(poll?.request.max).toBe(6)
  expect(names(book.next('report'))).toEqual(['e', 'f'])
})

test('a cancel is told once; what is lost is told, too, and its end is forgotten', () => {
  const book = bookOf(3, ['a', 'b'], ['c'])
  const at = (...list: string[]): Attempt[] => list.map((name) => ({ process: name, attempt: 1 }))
  expect(book.cancelled(at('a', 'x'))).toEqual(['a/1'])
  expect(book.cancelled(at('a'))).toEqual([])
  expect(book.lost(at('a', 'b', 'c'))).toEqual(['a/1', 'b/1'])
  expect(book.holding).toEqual([])
  expect(book.running).toBe(2)
  book.ended(succeeded('a'))
  expect(book.hasEnds).toBe(false)
})

test('what runs takes from cpu and memory', () => {
  const book = new ProcessBook({ concurrency: 4, capabilities: { cpu: '4', memory: '1Gi', gpu: 'a100' } })
  book.assigned([
    makeProcess('a', { conditions: { cpu: '1500m', memory: '256Mi' } }),
    makeProcess('b', { conditions: { memory: '1Gi' } }),
  ])
  expect(book.next('poll')?.request.free).toEqual({ cpu: '2500m', memory: '0' })
})

test('whatever happens, each end is sent until it is taken or dropped, and never more runs than there is room', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('poll' as const), given: fc.nat(3) }),
    fc.record({ do: fc.constantFrom('report', 'end', 'lose', 'answer', 'break', 'refuse'), at: fc.nat() }),
  )
  const check = fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60 }), (concurrency, steps) => {
    const book = new ProcessBook({ concurrency })
    const running = new Set<string>()
    const owed = new Set<string>()
    const calls: Batch[] = []
    let last = 0
    const pick = <T>(all: readonly T[], at: number): T | undefined => all[at % Math.max(1, all.length)]
    const settle = (batch: Batch | undefined, how: string) => {
      if (batch === undefined) return
      calls.splice(calls.indexOf(batch), 1)
      if (how === 'break') return book.unsent(batch)
      const gone = how === 'refuse' ? batch.ends.slice(0, 1) : batch.ends
      if (how === 'refuse') book.refused(batch, { causes: new Map([[0, 'no']]), final: true, message: '' })
      else book.taken(batch)
      for (const { finished } of gone) owed.delete(idOf(finished))
    }
    for (const one of steps) {
      if (one.do === 'poll') {
        const batch = book.next('poll')
        if (batch === undefined) continue
        const count = Math.min('given' in one ? one.given : 0, batch.request.max ?? 0)
        book.taken(batch)
        for (const { finished } of batch.ends) owed.delete(idOf(finished))
        const fresh = Array.from({ length: count }, () => `p${++last}`)
        for (const { metadata } of book.assigned(fresh.map((name) => process(name)))) running.add(`${metadata.name}`)
        continue
      }
      const at = 'at' in one ? one.at : 0
      const name = pick([...running], at)
      if (one.do === 'report') calls.push(...[book.next('report')].filter((batch) => batch !== undefined))
      else if (one.do === 'end' && name !== undefined) {
        running.delete(name)
        owed.add(`${name}/1`)
        book.ended(succeeded(name))
      } else if (one.do === 'lose' && name !== undefined) {
        book.lost([{ process: name, attempt: 1 }])
        running.delete(name)
        book.ended(succeeded(name))
      } else settle(pick(calls, at), one.do)
      expect(book.running).toBeLessThanOrEqual(concurrency)
    }
    while (calls.length > 0) settle(calls[0], 'break')
    const held = book.holding.map(idOf)
    for (const id of owed) expect(held).toContain(id)
    for (const id of running) expect(held).toContain(`${id}/1`)
    expect(held).toHaveLength(owed.size + running.size)
  })
  fc.assert(check, { numRuns: 200 })
})
