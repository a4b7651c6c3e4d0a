import { expect, it } from 'vitest'
import type { RangeRequest, ReadAnswer } from './protocol.ts'
import { ReadAhead } from './read-ahead.ts'

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f']
const all: RangeRequest = { type: 'range', prefix: '', after: undefined, revision: 7, limit: 6, filled: false }

/** Two keys each step; `bytes` is the size of a page. */
function log(bytes = 1) {
  const asked: (string | undefined)[] = []
  const read = ({ after, limit }: RangeRequest): ReadAnswer => {
    asked.push(after)
    const first = after === undefined ? 0 : KEYS.indexOf(after) + 1
    const keys = KEYS.slice(first, first + Math.min(2, limit))
    const lastKey = keys.at(-1)
    const done = first + keys.length >= KEYS.length
    return { page: new ArrayBuffer(bytes), done, count: keys.length, ...(lastKey === undefined ? {} : { lastKey }) }
  }
  return { asked, read }
}

it('the steps after the one that was asked for are read before they are asked for', () => {
  const { asked, read } = log()
  const ahead = new ReadAhead(read)
  expect(ahead.answer(all).lastKey).toBe('b')
  expect(asked).toEqual([undefined])
  expect([ahead.step(), ahead.step(), ahead.step()]).toEqual([true, true, false])
  expect(asked).toEqual([undefined, 'b', 'd'])
  expect(ahead.answer({ ...all, after: 'b', limit: 4 }).lastKey).toBe('d')
  expect(ahead.answer({ ...all, after: 'd', limit: 2 })).toMatchObject({ lastKey: 'f', done: true })
  expect(asked).toEqual([undefined, 'b', 'd'])
})

it('no more is read than was asked for', () => {
  const { asked, read } = log()
  const ahead = new ReadAhead(read)
  ahead.answer({ ...all, limit: 3 })
  expect([ahead.step(), ahead.step()]).toEqual([true, false])
  expect(ahead.answer({ ...all, after: 'b', limit: 1 }).count).toBe(1)
  expect(asked).toEqual([undefined, 'b'])
})

it('what is expected from the start serves whoever has room for it', () => {
  const { asked, read } = log()
  const ahead = new ReadAhead(read)
  ahead.expect(all)
  ahead.step()
  expect(ahead.answer({ ...all, limit: 1 }).count).toBe(1)
  ahead.expect(all)
  ahead.step()
  expect(ahead.answer({ ...all, limit: 100 }).count).toBe(2)
  expect(asked).toEqual([undefined, undefined, undefined])
})

it.each([
  ['prefix', { ...all, prefix: 'x', after: 'b' }],
  ['place', { ...all, after: 'c' }],
  ['revision', { ...all, revision: 8, after: 'b' }],
  ['form', { ...all, filled: true, after: 'b' }],
])('another %s is read anew', (_, request) => {
  const { asked, read } = log()
  const ahead = new ReadAhead(read)
  ahead.answer(all)
  ahead.step()
  ahead.answer(request)
  expect(asked).toEqual([undefined, 'b', request.after])
})

it('it holds a bounded number of bytes', () => {
  const ahead = new ReadAhead(log(20 << 20).read)
  ahead.expect({ ...all, limit: 100 })
  expect([ahead.step(), ahead.step(), ahead.step()]).toEqual([true, true, false])
  ahead.answer(all)
  expect(ahead.step()).toBe(true)
})

it('a failure is met by the one who asks', () => {
  let failing = false
  const { read } = log()
  const ahead = new ReadAhead((request) => {
    if (failing) throw new Error('disk')
    return read(request)
  })
  ahead.answer(all)
  failing = true
  expect(ahead.step()).toBe(false)
  expect(() => ahead.answer({ ...all, after: 'b', limit: 4 })).toThrow('disk')
})

it('nothing is kept once something else was asked for', () => {
  const { asked, read } = log()
  const ahead = new ReadAhead(read)
  ahead.answer(all)
  ahead.step()
  ahead.clear()
  expect(ahead.step()).toBe(false)
  ahead.answer({ ...all, after: 'b', limit: 4 })
  expect(asked).toEqual([undefined, 'b', 'b'])
})
