import { ManualClock } from '@homeostat/base'
import { MemoryStore } from '@homeostat/store'
import { expect, it, onTestFinished } from 'vitest'
import { DATABASES, database, type Handled, handledColony } from './handled.fixture.ts'
import { conditionOf } from './server.fixture.ts'

const NAMES = ['a', 'b', 'c']

/** Numbers that look random and are the same for a seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

class World {
  readonly #store: MemoryStore
  readonly #clock: ManualClock
  readonly #next: (below: number) => number
  colony: Handled
  #size = 0

  constructor(colony: Handled, store: MemoryStore, clock: ManualClock, next: (below: number) => number) {
    this.colony = colony
    this.#store = store
    this.#clock = clock
    this.#next = next
    this.#guard()
  }

  /** At any time at most one Process of a resource waits and one runs. */
  #guard(): void {
    const { user, processes } = this.colony
    user.follow({ group: 'colonies.io', resource: 'processes' }, () => {
      const running = processes().filter(({ status }) => status.phase === 'Running')
      expect(new Set(running.map(({ spec }) => spec.concurrencyKey)).size).toBe(running.length)
    })
  }

  async step(): Promise<void> {
    const { user, assign, processes, finish, change, colony } = this.colony
    const clock = this.#clock
    const name = NAMES[this.#next(NAMES.length)] ?? ''
    const place = { namespace: 'dev', name }
    const [running] = processes().filter(({ status }) => status.phase === 'Running')
    const status = { phase: 'Running', seen: this.#next(3) }
    const steps: readonly (() => Promise<unknown>)[] = [
      () => user.create(DATABASES, database(name)).catch(() => {}),
      () => change((object) => Object.assign(object, { spec: { size: this.#size++ } }), name),
      () => user.delete(DATABASES, place).catch(() => {}),
      () => change(({ metadata }) => Object.assign(metadata, { annotations: { 'colonies.io/reconcile': 'x' } }), name),
      () => change(({ metadata }) => Object.assign(metadata, { labels: { n: String(this.#size++) } }), name),
      () => assign('db'),
      () => assign('db'),
      async () => running && (await finish(running, { status })),
      async () => running && (await finish(running, { status })),
      async () => running && (await finish(running, { result: 'Failed', errors: ['x'] })),
      async () => running && (await finish(running, { result: 'Failed', retryable: false })),
      async () => running && (await finish(running, { requeueAfter: 5 })),
      async () => clock.advance(10_000),
      async () => clock.advance(60_000),
      async () => {
        await colony.close()
        this.colony = await handledColony([], { store: this.#store, clock })
        this.#guard()
      },
    ]
    await steps[this.#next(steps.length)]?.()
    // Sometimes the controllers come to their turn before the next thing happens, sometimes not.
    for (let turns = this.#next(6); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve))
  }

  /** From here on everything succeeds. */
  async finishAll(): Promise<void> {
    const { register, assign, processes, finish, until, user, get, change } = this.colony
    await register('db', { type: 'db' })
    // What was given up while it was deleted waits for somebody who asks.
    for (const name of NAMES) {
      await change(({ metadata }) => {
        if (metadata.deletionTimestamp) metadata.annotations = { 'colonies.io/reconcile': 'end' }
      }, name)
    }
    const atRest = (name: string) => {
      const object = get(name)
      if (object === undefined) return true
      const { observedGeneration } = (object.status ?? {}) as { observedGeneration?: number }
      return object.metadata.deletionTimestamp === undefined && observedGeneration === object.metadata.generation
    }
    const open = () => processes().some(({ status }) => status.phase === 'Waiting' || status.phase === 'Running')
    while (await until(() => open() || (NAMES.every(atRest) && 'rested')).then((found) => found !== 'rested')) {
      this.#clock.advance(10_000)
      await assign('db', { max: 10 })
      for (const process of processes()) if (process.status.phase === 'Running') await finish(process)
    }
    expect(user.list(DATABASES, 'dev').every((object) => conditionOf(object, 'Progressing')?.status !== 'True')).toBe(
      true,
    )
  }
}

it.each([1, 2, 3, 4])(
  'whatever happens, every resource comes to rest as it was last wanted, or goes (%i)',
  async (seed) => {
    const store = new MemoryStore()
    onTestFinished(() => store.close())
    const clock = new ManualClock(Date.UTC(2030, 0, 1))
    const world = new World(await handledColony(undefined, { store, clock }), store, clock, numbers(seed))
    await world.colony.register('db', { type: 'db' })
    for (let steps = 0; steps < 80; steps++) await world.step()
    await world.finishAll()
  },
)
