import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Action, planProcess, type Situation } from './handler-plan.ts'
import { tickAfter } from './interval.ts'

const NOW = Date.UTC(2030, 0, 1)
const rested: Situation = {
  facts: { uid: 'u1', generation: 3, observedGeneration: 3, deleting: false, held: true, requested: false },
  intervalMs: 0,
  waiting: undefined,
  running: undefined,
  since: NOW,
  now: NOW,
}
const nothing: Action = { do: 'nothing', until: undefined }
const facts = (parts: Partial<Situation['facts']>): Partial<Situation> => ({ facts: { ...rested.facts, ...parts } })
const waits = (generation: number, current = true): Partial<Situation> => ({ waiting: { generation, current } })
const runs = (generation: number): Partial<Situation> => ({ running: { generation } })

const table: readonly (readonly [what: string, parts: Partial<Situation>, step: Action])[] = [
  ['at rest', {}, nothing],
  ['new: it is held first', facts({ held: false, observedGeneration: undefined }), { do: 'hold' }],
  ['new and held', facts({ observedGeneration: undefined }), { do: 'create', trigger: 'change' }],
  ['changed', facts({ generation: 4 }), { do: 'create', trigger: 'change' }],
  ['changed, and that runs', { ...facts({ generation: 4 }), ...runs(4) }, nothing],
  [
    'changed while the one before runs',
    { ...facts({ generation: 4 }), ...runs(3) },
    { do: 'create', trigger: 'change' },
  ],
  ['changed, and that waits', { ...facts({ generation: 4 }), ...waits(4) }, nothing],
  [
    'changed while the one before waits',
    { ...facts({ generation: 4 }), ...waits(3, false) },
    { do: 'refresh', trigger: 'change', soon: true },
  ],
  [
    'changed while one runs and one waits',
    { ...facts({ generation: 5 }), ...waits(4, false), ...runs(3) },
    { do: 'refresh', trigger: 'change', soon: true },
  ],
  ['other labels while one waits', waits(3, false), { do: 'refresh', trigger: undefined, soon: false }],
  ['one waits for its time', waits(3), nothing],
  ['asked for', facts({ requested: true }), { do: 'create', trigger: 'request' }],
  ['asked for while one runs', { ...facts({ requested: true }), ...runs(3) }, { do: 'create', trigger: 'request' }],
  [
    'asked for while one waits',
    { ...facts({ requested: true }), ...waits(3) },
    { do: 'refresh', trigger: 'request', soon: true },
  ],
  ['deleted', facts({ deleting: true, generation: 4 }), { do: 'create', trigger: 'deletion' }],
  [
    'deleted while one waits',
    { ...facts({ deleting: true, generation: 4 }), ...waits(3, false) },
    { do: 'refresh', trigger: 'deletion', soon: true },
  ],
  [
    'deleted while one runs',
    { ...facts({ deleting: true, generation: 4 }), ...runs(3) },
    { do: 'create', trigger: 'deletion' },
  ],
  ['deleted, and that runs', { ...facts({ deleting: true, generation: 4 }), ...runs(4) }, nothing],
  ['deleted, and that failed for good', facts({ deleting: true }), nothing],
  ['deleted and not held', facts({ deleting: true, held: false, generation: 4 }), nothing],
  ['its tick has come', { intervalMs: 30_000, since: NOW - 60_000 }, { do: 'create', trigger: 'interval' }],
  ['its tick has come while one runs', { intervalMs: 30_000, since: NOW - 60_000, ...runs(3) }, nothing],
  ['its tick has come while one waits', { intervalMs: 30_000, since: NOW - 60_000, ...waits(3) }, nothing],
  ['its tick is to come', { intervalMs: 30_000 }, { do: 'nothing', until: tickAfter('u1', 30_000, NOW) }],
  [
    'deleted in vain, and its tick has come',
    { ...facts({ deleting: true }), intervalMs: 30_000, since: NOW - 60_000 },
    { do: 'create', trigger: 'deletion' },
  ],
]

describe('a resource', () => {
  it.each(table)('%s', (_, parts, step) => {
    expect(planProcess({ ...rested, ...parts })).toEqual(step)
  })
})

describe('ticks', () => {
  it('come once in each interval, at times that only the uid decides', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.integer({ min: 1000, max: 3_600_000 }), fc.nat(), (uid, interval, time) => {
        const tick = tickAfter(uid, interval, time)
        expect(tick).toBeGreaterThan(time)
        expect(tick - time).toBeLessThanOrEqual(interval)
        expect(tickAfter(uid, interval, tick)).toBe(tick + interval)
        expect(tickAfter(uid, interval, tick - 1)).toBe(tick)
      }),
    )
  })

  it('of many resources are spread', () => {
    const slots = new Array<number>(10).fill(0)
    for (let index = 0; index < 1000; index++) {
      const uid = `0f8fad5b-d9cb-469f-a165-${String(index).padStart(12, '0')}`
      const slot = Math.floor((tickAfter(uid, 30_000, 0) - 1) / 3000)
      slots[slot] = (slots[slot] ?? 0) + 1
    }
    expect(Math.max(...slots)).toBeLessThan(150)
  })
})

/** A queue of one resource, as far as the plan can see it. */
class Life {
  generation = 1
  observed: number | undefined
  deleting = false
  held = false
  requested = false
  gone = false
  waiting: { generation: number; labels: number } | undefined
  running: { generation: number } | undefined
  labels = 0

  /** Carries out what the plan says until it says nothing. */
  settle(): void {
    for (let steps = 0; !this.gone; steps++) {
      if (steps > 4) throw new Error('the plan does not come to rest')
      if (!this.#step()) return
    }
  }

  #step(): boolean {
    const { generation, deleting, held, requested, waiting, running } = this
    const step = planProcess({
      facts: { uid: 'u1', generation, observedGeneration: this.observed, deleting, held, requested },
      intervalMs: 0,
      waiting: waiting && { generation: waiting.generation, current: waiting.labels === this.labels },
      running,
      since: 0,
      now: 0,
    })
    if (step.do === 'nothing') return false
    if (step.do === 'hold') this.held = true
    else {
      if (step.do === 'create') expect(waiting).toBeUndefined()
      this.waiting = { generation, labels: this.labels }
      if (step.trigger === 'request') this.requested = false
    }
    return true
  }

  take(): void {
    if (this.running || !this.waiting) return
    this.running = { generation: this.waiting.generation }
    this.waiting = undefined
  }

  end(how: 'done' | 'again' | 'given up'): void {
    const { running } = this
    if (!running) return
    this.running = undefined
    if (how === 'again') {
      // One that waits already is newer.
      this.waiting ??= { generation: running.generation, labels: -1 }
      return
    }
    this.observed = running.generation
    if (how === 'done' && this.deleting && running.generation === this.generation) this.gone = true
  }
}

const events: Readonly<Record<string, (life: Life) => void>> = {
  change: (life) => void (life.deleting || life.generation++),
  label: (life) => void life.labels++,
  ask: (life) => {
    life.requested = true
  },
  delete: (life) => {
    if (life.deleting) return
    life.deleting = true
    if (life.held) life.generation++
    else life.gone = true
  },
  take: (life) => life.take(),
  done: (life) => life.end('done'),
  fail: (life) => life.end('again'),
  'give up': (life) => life.end('given up'),
  cancel: (life) => {
    life.waiting = undefined
  },
}

it('in any life never has two that wait, and in the end its newest state was run', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...Object.keys(events)), { maxLength: 60 }), (story) => {
      const life = new Life()
      for (const event of story) {
        life.settle()
        if (!life.gone) events[event]?.(life)
      }
      // From here on executors do what they are told; what was given up is asked for.
      life.requested = life.deleting
      for (let turns = 0; turns < 5 && !life.gone; turns++) {
        life.settle()
        life.take()
        life.end('done')
      }
      life.settle()
      if (life.deleting) expect(life.gone).toBe(true)
      else expect(life).toMatchObject({ observed: life.generation, waiting: undefined, running: undefined })
    }),
    { numRuns: 500 },
  )
})
