// Random lives of a whole colony: Processes are submitted, taken, closed, cancelled and cut off, executors crash, the server
// restarts. Whatever happens, no key runs twice at once, nothing is lost, and each Process ends once.

import type { ProcessSpec } from '@homeostat/executor/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nextTime, puller } from './queued-process.fixture.ts'
import { StoryWorld } from './story-world.fixture.ts'

const EXECUTORS = ['e1', 'e2', 'e3'].map((name) => puller({ name }))

/** A colony, and what each executor believes to hold. */
class Life {
  readonly world = new StoryWorld()
  readonly held = new Map<string, Map<string, number>>(EXECUTORS.map(({ name }) => [name, new Map()]))
  readonly ends = new Map<string, string>()
  submitted = 0

  submit(spec: Partial<ProcessSpec>): void {
    this.world.submit(`p${this.submitted++}`, { funcName: 'run', conditions: { executorType: 'ml' }, ...spec })
  }

  /** The answer may be lost on its way. */
  take(which: number, max: number, arrives: boolean): void {
    const executor = executorAt(which)
    for (const name of this.world.take(executor, max)) {
      if (arrives) this.held.get(executor.name)?.set(name, this.world.of(name).status.attempt)
    }
  }

  close(which: number, result: 'Succeeded' | 'Failed' | 'Cancelled', requeueAfter: number | undefined): void {
    const { name: executor } = executorAt(which)
    for (const [process, attempt] of this.held.get(executor) ?? []) {
      this.held.get(executor)?.delete(process)
      if (!this.world.objects.has(process)) continue
      const end = { process, attempt, result, ...(requeueAfter !== undefined && { requeueAfter }) }
      const before = this.world.of(process).status
      const answer = this.world.close(executor, end)
      // Only who was running it, in that attempt, can have changed anything.
      if (answer && !('refused' in answer)) expect([before.executor, before.attempt]).toEqual([executor, attempt])
      return
    }
  }

  beat(which: number): void {
    const { name: executor } = executorAt(which)
    const held = this.held.get(executor)
    const holding = Array.from(held ?? [], ([process, attempt]) => ({ process, attempt }))
    const { lost, cancelled } = this.world.heartbeat(executor, holding)
    for (const { process } of [...lost, ...cancelled]) held?.delete(process)
  }

  cancel(which: number): void {
    const name = `p${which % Math.max(1, this.submitted)}`
    if (this.world.objects.has(name)) this.world.change(name, { cancel: true })
  }

  pass(ms: number): void {
    this.world.now += ms
    this.world.due(true)
    this.world.loseExecutors()
    this.world.wake()
  }

  /** Called very often, so without a matcher for each Process. */
  check(): void {
    const busy = new Set<string>()
    for (const [name, { spec, status }] of this.world.objects) {
      const ended = status.finishedAt
      if (this.ends.has(name) && this.ends.get(name) !== ended) expect.fail(`${name} ended twice`)
      if (ended !== undefined) this.ends.set(name, ended)
      if (status.phase !== 'Running' || spec.concurrencyKey === undefined) continue
      if (busy.has(spec.concurrencyKey)) expect.fail(`two of ${spec.concurrencyKey} run`)
      busy.add(spec.concurrencyKey)
    }
  }

  /** Sleeps from one time that the queue names to the next, with one good executor: everything ends. */
  drain(): void {
    const helper = puller({ name: 'helper' })
    for (let turn = 0; turn < 200 + 20 * this.submitted; turn++) {
      for (const process of this.world.take(helper, 10)) {
        this.world.close('helper', { process, attempt: this.world.of(process).status.attempt, result: 'Succeeded' })
      }
      this.pass(0)
      this.check()
      const times = [nextTime(this.world.queue), this.world.liveness.nextTime()].filter((time) => time !== undefined)
      const open = [...this.world.objects.values()].some(({ status }) => status.finishedAt === undefined)
      if (!open) return
      expect(times.length > 0 || this.world.queue.eligible(helper, this.world.now)).toBe(true)
      this.world.now = Math.max(this.world.now, Math.min(...times))
    }
    expect.fail(
      `still open: ${[...this.world.objects].filter(([, { status }]) => !status.finishedAt).map(([name]) => name)}`,
    )
  }
}

const spec: fc.Arbitrary<Partial<ProcessSpec>> = fc.record(
  {
    priority: fc.integer({ min: -2, max: 2 }),
    concurrencyKey: fc.constantFrom('k1', 'k2'),
    maxWaitSeconds: fc.constantFrom(5, 40),
    maxExecSeconds: fc.constantFrom(2, 20),
    maxRetries: fc.constantFrom(-1, 0, 1),
    ttlSecondsAfterFinished: fc.constantFrom(0, 30),
  },
  { requiredKeys: [] },
)
const which = fc.nat({ max: 20 })
const step: fc.Arbitrary<(life: Life) => void> = fc.oneof(
  spec.map((of) => (life: Life) => life.submit(of)),
  spec.map((of) => (life: Life) => life.submit(of)),
  fc.tuple(which, fc.integer({ min: 1, max: 3 }), fc.constantFrom(true, true, true, false)).map(
    ([executor, max, arrives]) =>
      (life: Life) =>
        life.take(executor, max, arrives),
  ),
  fc.tuple(which, fc.constantFrom('Succeeded', 'Failed', 'Cancelled'), fc.constantFrom(undefined, undefined, 5)).map(
    ([executor, result, again]) =>
      (life: Life) =>
        life.close(executor, result, again),
  ),
  which.map((executor) => (life: Life) => life.beat(executor)),
  which.map((process) => (life: Life) => life.cancel(process)),
  fc.constantFrom(0, 500, 1000, 7000, 31_000).map((ms) => (life: Life) => life.pass(ms)),
  // An executor that crashes knows of nothing.
  which.map((executor) => (life: Life) => life.held.get(executorAt(executor).name)?.clear()),
  fc.constant((life: Life) => life.world.restart(EXECUTORS.map(({ name }) => name))),
)

it('loses nothing, ends each Process once, and never runs two of one key', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100, size: 'max' }), (steps) => {
      const life = new Life()
      for (const one of steps) {
        one(life)
        life.check()
      }
      life.drain()
    }),
    { numRuns: 150 },
  )
})

function executorAt(which: number) {
  return EXECUTORS[which % EXECUTORS.length] ?? puller()
}
