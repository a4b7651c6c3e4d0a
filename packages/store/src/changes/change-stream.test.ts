import { expect, it } from 'vitest'
import type { Change } from '../contract.ts'
import { ChangeStream } from './change-stream.ts'

function change(revision: number, size = 1): Change {
  const value = { bytes: new Uint8Array(size), gap: 0, metaEnd: 0 }
  return {
    revision,
    key: `k${revision}`,
    op: 'put',
    value,
    previous: undefined,
    note: { time: 0, user: '', manager: '' },
  }
}

/** A log beside the stream that counts how often it is read. */
function streamWithLog(bounds: { changes?: number; bytes?: number } = {}) {
  const log: Change[] = []
  const reads: [number, number][] = []
  const stream = new ChangeStream(
    0,
    async (after, upto) => {
      reads.push([after, upto])
      return { changes: log.filter((entry) => entry.revision > after && entry.revision <= upto), through: upto }
    },
    bounds,
  )
  const publish = (...changes: Change[]) => {
    log.push(...changes)
    stream.publish(changes)
  }
  return { changes: stream, log, reads, publish }
}

const revisions = (changes: unknown) => (changes as readonly Change[]).map((entry) => entry.revision)

it('hands live changes over without reading the log', async () => {
  const { changes, reads, publish } = streamWithLog()
  const follower = changes.follow(0, new AbortController().signal)
  const first = follower.next()
  publish(change(1), change(2))
  expect(revisions((await first).value)).toEqual([1, 2])
  publish(change(3))
  publish(change(4))
  expect(revisions((await follower.next()).value)).toEqual([3])
  expect(revisions((await follower.next()).value)).toEqual([4])
  expect(reads).toEqual([])
})

it('makes a follower that falls behind read the log again, and then live on', async () => {
  const { changes, reads, publish } = streamWithLog({ changes: 3 })
  const follower = changes.follow(0, new AbortController().signal)
  const first = follower.next()
  publish(change(1))
  await first
  for (let revision = 2; revision <= 10; revision++) publish(change(revision))
  expect(revisions((await follower.next()).value)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(reads).toEqual([[1, 10]])
  publish(change(11))
  expect(revisions((await follower.next()).value)).toEqual([11])
  expect(reads).toHaveLength(1)
})

it('bounds what waits by bytes as well', async () => {
  const { changes, reads, publish } = streamWithLog({ bytes: 100 })
  const follower = changes.follow(0, new AbortController().signal)
  const first = follower.next()
  publish(change(1))
  await first
  publish(change(2, 60))
  publish(change(3, 60))
  expect(revisions((await follower.next()).value)).toEqual([2, 3])
  expect(reads).toHaveLength(1)
})

it('reads from the log what was committed without being published', async () => {
  const { changes, log, publish } = streamWithLog()
  const follower = changes.follow(0, new AbortController().signal)
  const first = follower.next()
  log.push(change(1))
  changes.advance(1)
  expect(revisions((await first).value)).toEqual([1])
  publish(change(2))
  log.push(change(3))
  changes.advance(3)
  expect([...revisions((await follower.next()).value), ...revisions((await follower.next()).value)]).toEqual([2, 3])
})

it('lets go of a follower whose signal aborts', async () => {
  const { changes } = streamWithLog()
  const stop = new AbortController()
  const waiting = changes.follow(0, stop.signal).next()
  stop.abort()
  expect((await waiting).done).toBe(true)
})
