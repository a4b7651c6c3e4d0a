import { expect, it } from 'vitest'
import { ObjectTree } from './object-tree.ts'
import { PageSnapshots, SNAPSHOT_MS } from './page-snapshots.ts'

function at(start: number) {
  let now = start
  let timer: { at: number; run: () => void } | undefined
  return {
    now: () => now,
    setTimer: (ms: number, run: () => void) => {
      timer = { at: now + ms, run }
      return () => {
        timer = undefined
      }
    },
    pass(ms: number) {
      now += ms
      const due = timer
      if (due === undefined || due.at > now) return
      timer = undefined
      due.run()
    },
    get waits() {
      return timer !== undefined
    },
  }
}

const tree = () => new ObjectTree().snapshot()

it('a snapshot expires after its time, also without further requests', () => {
  const clock = at(1000)
  const pages = new PageSnapshots(clock)
  pages.keep('core/secrets', 1, tree())
  clock.pass(SNAPSHOT_MS / 2)
  pages.keep('core/secrets', 2, tree())
  clock.pass(SNAPSHOT_MS / 2)
  expect([pages.at('core/secrets', 1), pages.size]).toEqual([undefined, 1])
  clock.pass(SNAPSHOT_MS / 2)
  expect([pages.size, clock.waits]).toEqual([0, false])
})

it('the number of snapshots is bounded across resources', () => {
  const pages = new PageSnapshots(at(0))
  for (let i = 0; i < 1000; i++) pages.keep(`example.com/kind-${i}`, i, tree())
  expect(pages.size).toBe(64)
  expect(pages.at('example.com/kind-999', 999)).toBeDefined()
})

it('a server that ends waits for none of them', () => {
  const clock = at(0)
  const pages = new PageSnapshots(clock)
  pages.keep('core/secrets', 1, tree())
  pages.close()
  pages.close()
  expect([pages.size, clock.waits]).toEqual([0, false])
})
