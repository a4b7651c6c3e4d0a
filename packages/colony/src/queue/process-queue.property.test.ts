// Random histories, asked of the real queue and of one that scans an array.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { NaiveQueue } from './naive-queue.fixture.ts'
import { type Place, ProcessQueue } from './process-queue.ts'
import { ANYTHING, nextTime, puller, queued } from './queued-process.fixture.ts'
import type { Demands, Puller, QueuedProcess } from './queued-process.ts'

const NAMESPACES = ['lab', 'field']
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

const namespace = fc.constantFrom(...NAMESPACES)
const name = fc.constantFrom(...NAMES)
/** From when it is set. */
const moment = fc.constantFrom(
  undefined,
  undefined,
  undefined,
  undefined,
  undefined,
  undefined,
  -1000,
  0,
  500,
  1000,
  5000,
  30_000,
)

const demands: fc.Arbitrary<Demands> = fc
  .record({
    executorType: fc.constantFrom('ml', 'ml', 'web'),
    funcName: fc.constantFrom('train', 'serve'),
    executorNames: fc.constantFrom([], [], ['e1'], ['e1', 'e2']),
    location: fc.constantFrom('', '', 'north'),
    software: fc.constantFrom([], [], ['docker'], ['cuda', 'docker']),
    cpu: fc.constantFrom(0, 0, 1, 2),
    memory: fc.constantFrom(0, 0, 512),
  })
  .map((facts) => ({ ...ANYTHING, ...facts }))

const state: fc.Arbitrary<QueuedProcess> = fc
  .record({
    namespace,
    phase: fc.constantFrom<QueuedProcess['phase'][]>('Waiting', 'Waiting', 'Waiting', 'Waiting', 'Running', 'Ended'),
    order: fc.integer({ min: 0, max: 5 }),
    demands,
    concurrencyKey: fc.constantFrom(undefined, undefined, 'k1', 'k2'),
    attempt: fc.integer({ min: 0, max: 2 }),
    executor: fc.constantFrom('e1', 'e2'),
    cancel: fc.nat({ max: 9 }).map((dice) => dice === 0),
    submittedAt: fc.integer({ min: 0, max: 100 }),
    notBefore: moment,
    waitDeadline: moment,
    execDeadline: moment,
    deleteAt: moment,
  })
  .chain((facts) => name.map((of) => queued(of, facts)))

const pullers: fc.Arbitrary<Puller> = fc
  .record({
    namespace,
    name: fc.constantFrom('e1', 'e2', 'e3'),
    type: fc.constantFrom('ml', 'web'),
    functions: fc.constantFrom([], ['train'], ['serve', 'train']),
    location: fc.constantFrom('', 'North', 'south'),
    cpu: fc.constantFrom(Infinity, Infinity, 0, 1, 3),
    memory: fc.constantFrom(Infinity, 0, 1024),
  })
  .map(puller)

/** Both queues, asked the same. */
class Pair {
  readonly real = new ProcessQueue()
  readonly naive = new NaiveQueue()
  now = 0
  revision = 1
  offered = new Set<QueuedProcess>()

  set(process: QueuedProcess, age: number): void {
    this.revision += 1
    const stated = { ...process, ...this.#moments(process), revision: Math.max(1, this.revision - age) }
    this.real.set(stated)
    this.naive.set(stated)
  }

  #moments({ notBefore, waitDeadline, execDeadline, deleteAt }: QueuedProcess) {
    const from = (offset: number | undefined) => (offset === undefined ? undefined : this.now + offset)
    return {
      notBefore: from(notBefore),
      waitDeadline: from(waitDeadline),
      execDeadline: from(execDeadline),
      deleteAt: from(deleteAt),
    }
  }

  take(by: Puller, max: number): void {
    this.naive.look(this.now)
    const expected = this.naive.take(by, max, this.now)
    expect(this.real.take(by, max, this.now).map(idOf)).toEqual(expected.map(idOf))
  }

  /** Asks for many that are like this one, since most alone could have nothing anyway. */
  eligible(like: Puller): void {
    this.naive.look(this.now)
    for (const namespace of NAMESPACES) {
      for (const type of ['ml', 'web']) {
        for (const cpu of [0, 1, Infinity]) {
          const by = { ...like, namespace, type, cpu }
          if (this.real.eligible(by, this.now) !== this.naive.eligible(by, this.now)) {
            expect.fail(`${JSON.stringify(by)} should ${this.naive.eligible(by, this.now) ? '' : 'not '}be eligible`)
          }
        }
      }
    }
  }

  due(limit: number): void {
    this.naive.look(this.now)
    const expected = new Map(this.naive.due(this.now).map((due) => [idOf(due.process), due.why]))
    const due = this.real.due(this.now, limit)
    expect(due.length).toBe(Math.min(limit, expected.size))
    for (const one of due) {
      expect(one.why).toBe(expected.get(idOf(one.process)))
      this.naive.handedOut(one, this.now)
    }
  }

  ripe(): void {
    this.naive.look(this.now)
    const ripe = new Set(this.real.ripe(this.now).map(placeOf))
    const offered = new Set(this.naive.takeable(this.now).map(({ process }) => process))
    for (const process of offered.difference(this.offered)) {
      expect(ripe).toContain(placeOf({ ...process, executorType: process.demands.executorType }))
    }
    this.offered = offered
  }

  /** To sleep until the next time the queue names must miss nothing. */
  advance(by: number): void {
    const next = nextTime(this.real) ?? Infinity
    const until = this.now + by
    for (let time = this.now; time < Math.min(next, until); time += 500) {
      const ripe = this.naive.takeable(time).some(({ process }) => (process.notBefore ?? 0) > this.now)
      if (ripe || this.naive.due(time).length > 0) expect.fail(`${next} is too late: there is something at ${time}`)
    }
    this.now = until
  }

  /** Once everything is handed out, the next time lies ahead. */
  settle(): void {
    this.due(1000)
    this.ripe()
    expect(nextTime(this.real) ?? Infinity).toBeGreaterThan(this.now)
  }

  check(): void {
    const waits = this.naive.known.filter(({ process }) => process.phase === 'Waiting')
    const runs = this.naive.known.filter(({ process }) => process.phase === 'Running')
    expect(this.real.size).toBe(this.naive.known.length)
    for (const { process } of this.naive.known) {
      expect(this.real.get(process.namespace, process.name)?.revision).toBe(process.revision)
    }
    for (const of of NAMESPACES) {
      for (const executor of ['e1', 'e2']) {
        const held = runs.filter(({ process }) => process.namespace === of && process.executor === executor)
        expect(Array.from(this.real.running(of, executor), idOf).sort()).toEqual(
          held.map(({ process }) => idOf(process)).sort(),
        )
      }
      for (const key of ['k1', 'k2']) {
        const ofKey = ({ process }: { process: QueuedProcess }) =>
          process.namespace === of && process.concurrencyKey === key
        const answer = this.real.ofKey(of, key)
        expect(answer.waiting.map(idOf).sort()).toEqual(
          waits
            .filter(ofKey)
            .map(({ process }) => idOf(process))
            .sort(),
        )
        expect(answer.running !== undefined).toBe(runs.some(ofKey))
      }
    }
    for (const { waiting, running, oldestSubmittedAt, ...place } of this.real.depth()) {
      const here = ({ process }: { process: QueuedProcess }) =>
        placeOf({ ...process, executorType: process.demands.executorType }) === placeOf(place)
      expect([waiting, running]).toEqual([waits.filter(here).length, runs.filter(here).length])
      const ages = waits.filter(here).map(({ process }) => process.submittedAt)
      expect(oldestSubmittedAt).toBe(ages.length > 0 ? Math.min(...ages) : undefined)
    }
  }
}

const step: fc.Arbitrary<(pair: Pair) => void> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(state, fc.constantFrom(0, 0, 0, 0, 3)).map(
      ([process, age]) =>
        (pair: Pair) =>
          pair.set(process, age),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(pullers, fc.integer({ min: 0, max: 4 })).map(
      ([by, max]) =>
        (pair: Pair) =>
          pair.take(by, max),
    ),
  },
  { weight: 2, arbitrary: pullers.map((by) => (pair: Pair) => pair.eligible(by)) },
  {
    weight: 2,
    arbitrary: fc.tuple(namespace, name, fc.constantFrom(0, 0, 2)).map(([of, which, age]) => (pair: Pair) => {
      pair.revision += 1
      pair.real.delete(of, which, pair.revision - age)
      pair.naive.delete(of, which, pair.revision - age)
    }),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(namespace, name).map(([of, which]) => (pair: Pair) => {
      pair.real.release(of, which)
      pair.naive.release(of, which)
    }),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(namespace, fc.boolean()).map(([of, paused]) => (pair: Pair) => {
      pair.real.pause(of, paused)
      if (paused) pair.naive.paused.add(of)
      else pair.naive.paused.delete(of)
    }),
  },
  { weight: 3, arbitrary: fc.constantFrom(1, 500, 1000, 5000, 30_000).map((by) => (pair: Pair) => pair.advance(by)) },
  { weight: 3, arbitrary: fc.constantFrom(1, 2, 100).map((limit) => (pair: Pair) => pair.due(limit)) },
  { weight: 3, arbitrary: fc.constant((pair: Pair) => pair.ripe()) },
  { weight: 2, arbitrary: fc.constant((pair: Pair) => pair.settle()) },
)

it('answers like a queue that looks at everything each time', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150, size: 'max' }), (steps) => {
      const pair = new Pair()
      for (const one of steps) one(pair)
      pair.check()
    }),
    { numRuns: 300 },
  )
})

function idOf(process: QueuedProcess): string {
  return `${process.namespace}/${process.name}@${process.revision}`
}

function placeOf({ namespace, executorType }: Place): string {
  return `${namespace}/${executorType}`
}
