import { describe, expect, it } from 'vitest'
import { FightBook } from './fight-book.ts'

const second = 1000
const minute = 60 * second
const replicas = [{ field: 'spec.replicas', rival: 'hpa' }]

function after(rounds: number, every: number) {
  const book = new FightBook()
  for (let round = 0; round < rounds; round++) book.note('web', replicas, round * every)
  return { book, now: (rounds - 1) * every }
}

describe('a fight', () => {
  it.each([
    ['one change is none', 1, second, undefined],
    ['two are none', 2, second, undefined],
    ['three are one', 3, second, { field: 'spec.replicas', rival: 'hpa', rounds: 3, hold: true, lookAgain: second }],
    ['each round doubles the time', 6, second, { rounds: 6, hold: true, lookAgain: 8 * second }],
    ['up to a limit', 30, second, { rounds: 30, hold: true, lookAgain: 5 * minute }],
    ['slow ones count, too', 3, 4 * minute, { rounds: 3, hold: true }],
    ['once in a while is none', 9, 6 * minute, undefined],
  ])('%s', (_, rounds, every, expected) => {
    const { book, now } = after(rounds, every)
    const verdict = book.verdict('web', now)
    if (expected === undefined) expect(verdict).toBeUndefined()
    else expect(verdict).toMatchObject(expected)
  })

  it('allows another try when the time is over, and is reported until it was quiet for long', () => {
    const { book, now } = after(3, second)
    expect(book.verdict('web', now + second)).toMatchObject({ hold: false, lookAgain: 5 * minute })
    expect(book.verdict('web', now + second + 5 * minute - 1)).toMatchObject({ hold: false, lookAgain: 1 })
    expect(book.verdict('web', now + second + 5 * minute)).toBeUndefined()
    expect(book.size).toBe(0)
  })

  it('is between the same two', () => {
    const book = new FightBook()
    for (let round = 0; round < 4; round++) {
      book.note('web', [{ field: 'spec.replicas', rival: round % 2 ? 'a' : 'b' }], round)
    }
    expect(book.verdict('web', 4)).toBeUndefined()
  })

  it('is over one object, and the worst field is reported', () => {
    const { book, now } = after(3, second)
    expect(book.verdict('other', now)).toBeUndefined()
    for (let round = 0; round < 5; round++) book.note('web', [{ field: 'spec.image', rival: 'cd' }], now)
    expect(book.verdict('web', now)).toMatchObject({ field: 'spec.image', rival: 'cd', rounds: 5 })
  })
})

it('remembers a bounded number of objects and fields', () => {
  const book = new FightBook({ limits: { objects: 2, fields: 2 } })
  for (let round = 0; round < 3; round++) {
    for (const key of ['a', 'b', 'c']) book.note(key, replicas, round)
  }
  expect(book.size).toBe(2)
  const fields = Array.from({ length: 9 }, (_, at) => ({ field: `f${at}`, rival: 'x' }))
  const small = new FightBook({ rounds: 1, limits: { fields: 2 } })
  small.note('a', fields.toReversed(), 0)
  small.note('a', fields.slice(0, 1), 1)
  expect(small.verdict('a', 1)).toMatchObject({ field: 'f8', rounds: 1 })
})
