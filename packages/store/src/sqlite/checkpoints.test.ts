import { expect, test } from 'vitest'
import { Checkpoints, pagesOf } from './checkpoints.ts'

/** Ten minutes of one small write every so often; answers how often pages were moved. */
function movesInTenMinutes(everyMs: number): number {
  let now = 0
  let moves = 0
  let pages = 0
  const checkpoints = new Checkpoints(1000, () => now)
  const run = (until: number) => {
    for (;;) {
      const step = checkpoints.next()
      if (step.do === 'wait') {
        if (now + step.ms > until) break
        now += step.ms
        continue
      }
      moves++
      checkpoints[step.do === 'move' ? 'moved' : 'finished']({ pages, moved: pages })
      pages = 0
    }
    now = until
  }
  for (let at = everyMs; at <= 600_000; at += everyMs) {
    run(at)
    checkpoints.wrote(pagesOf(1, 700))
    pages += pagesOf(1, 700)
  }
  return moves
}

test.each([
  [1000, 2],
  [3000, 1],
  [10_000, 10],
])('a lease every %i ms moves the pages at most %i times in ten minutes', (everyMs, most) => {
  expect(movesInTenMinutes(everyMs)).toBeLessThanOrEqual(most)
})

test('what was written while pages were moved is still to be moved', () => {
  const checkpoints = new Checkpoints(100, () => 0)
  checkpoints.wrote(100)
  expect(checkpoints.next()).toEqual({ do: 'move' })
  checkpoints.wrote(90)
  checkpoints.moved({ pages: 110, moved: 110 })
  expect(checkpoints.next()).toMatchObject({ do: 'wait' })
  checkpoints.wrote(10)
  expect(checkpoints.next()).toEqual({ do: 'move' })
})

test('a reader that holds the WAL, or an error, is waited for', () => {
  let now = 0
  const checkpoints = new Checkpoints(100, () => now)
  checkpoints.wrote(200)
  for (const size of [{ pages: 200, moved: 50 }, undefined, { pages: 200, moved: 50 }]) {
    expect(checkpoints.next()).toEqual({ do: 'move' })
    checkpoints.moved(size)
    now += 1000
  }
  now -= 1
  expect(checkpoints.next()).toEqual({ do: 'wait', ms: 1 })
})

test('nothing is due once everything is moved', () => {
  const checkpoints = new Checkpoints(100, () => 0)
  checkpoints.wrote(100)
  checkpoints.next()
  checkpoints.moved({ pages: 90, moved: 90 })
  expect(checkpoints.next()).toEqual({ do: 'wait', ms: Number.POSITIVE_INFINITY })
})
