// Whatever happens to its containers, a pod keeps some promises. Plans are carried out in a world that knows nothing but units.

import type { UnitState } from '@homeostat/runtimes'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Pod, PodSpec } from '../kinds.ts'
import { restarted } from './back-off.ts'
import type { ContainerMemory } from './container-plan.ts'
import { planPod } from './pod-plan.ts'
import { attemptOf, podOf, unitLabels, unitName, unitsOf } from './unit-name.ts'

const START = Date.parse('2026-01-01T00:00:00Z')

class World {
  pod: Pod
  now = START
  units: UnitState[] = []
  readonly started: string[] = []
  #memory = new Map<string, ContainerMemory>()
  readonly #simulated: boolean

  constructor(spec: PodSpec, simulated: boolean) {
    this.pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'd', uid: 'u' }, spec, status: {} }
    this.#simulated = simulated
  }

  reconcile(): void {
    const runtime = { name: 'r', simulated: this.#simulated }
    const state = { pod: this.pod, runtime, address: '192.0.2.1', memory: this.#memory, now: this.now }
    const first = planPod({ ...state, units: this.units })
    for (const action of first.actions) {
      if (action.do === 'stop') this.units = this.units.filter(({ id }) => id !== action.unit.id)
      if (action.do !== 'start') continue
      const { container, attempt, finishedAt } = action
      const name = unitName(this.pod, container.name, attempt)
      this.started.push(name)
      const labels = unitLabels(this.pod, container.name, attempt)
      this.units = [...this.units, { id: name, name, labels, phase: 'running', startedAt: this.now }]
      const before = this.#memory.get(container.name) ?? {}
      if (attempt > 0) {
        this.#memory.set(container.name, { backOff: restarted(before.backOff, finishedAt, this.now) })
      }
    }
    const { status } = planPod({ ...state, units: this.units })
    if (status) this.pod = { ...this.pod, status }
  }

  exit(which: number, exitCode: number): void {
    const running = this.units.filter(({ phase }) => phase === 'running')
    const unit = running[which % Math.max(1, running.length)]
    this.units = this.units.map((one) =>
      one === unit ? { ...one, phase: 'exited', exitCode, finishedAt: this.now } : one,
    )
  }

  /** The server starts again; the runtime may have forgotten, too. */
  crash(forgets: boolean): void {
    this.#memory = new Map()
    if (forgets) this.units = []
  }
}

const event = fc.oneof(
  fc.record({ act: fc.constant('exit' as const), which: fc.nat(5), code: fc.constantFrom(0, 0, 1) }),
  fc.record({ act: fc.constant('wait' as const), seconds: fc.constantFrom(1, 15, 700) }),
  fc.record({ act: fc.constant('crash' as const), forgets: fc.boolean() }),
)

it('no container runs twice at once, none begins before the init containers are done, and what has ended stays so', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('Always', 'OnFailure', 'Never'),
      fc.nat(2),
      fc.boolean(),
      fc.array(event, { maxLength: 25 }),
      (restartPolicy, inits, simulated, events) => {
        const initContainers = Array.from({ length: inits }, (_, index) => ({ name: `i${index}` }))
        const world = new World(
          { restartPolicy, initContainers, containers: [{ name: 'a' }, { name: 'b' }] },
          simulated,
        )
        const restarts = new Map<string, number>()
        world.reconcile()
        for (const happened of events) {
          const before = world.pod.status?.phase
          if (happened.act === 'exit') world.exit(happened.which, happened.code)
          else if (happened.act === 'wait') world.now += happened.seconds * 1000
          else world.crash(happened.forgets)
          world.reconcile()
          world.reconcile()
          const { status = {} } = world.pod
          if (before === 'Succeeded' || before === 'Failed') expect(status.phase).toBe(before)
          for (const name of ['a', 'b', ...initContainers.map((one) => one.name)]) {
            const own = unitsOf(world.units, name)
            expect(own.filter(({ phase }) => phase === 'running').length).toBeLessThanOrEqual(1)
            expect(own.length).toBeLessThanOrEqual(2)
          }
          for (const { name, restartCount } of status.containerStatuses ?? []) {
            expect(restartCount).toBeGreaterThanOrEqual(restarts.get(name) ?? 0)
            restarts.set(name, restartCount)
          }
          const mains = world.units.filter((unit) => ['a', 'b'].includes(podOf(unit).container))
          const isInitialized = status.conditions?.find(({ type }) => type === 'Initialized')?.status === 'True'
          if (mains.length > 0) expect(isInitialized).toBe(true)
        }
        if (!simulated) expect(new Set(world.started).size).toBe(world.started.length)
        if (restartPolicy === 'Never') {
          for (const unit of world.units) expect(attemptOf(unit)).toBe(0)
        }
      },
    ),
    { numRuns: 300 },
  )
})

it('a pod that shall always run does so again, sooner or later', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 25 }), (events) => {
      const world = new World({ restartPolicy: 'Always', containers: [{ name: 'a' }, { name: 'b' }] }, false)
      world.reconcile()
      for (const happened of events) {
        if (happened.act === 'exit') world.exit(happened.which, happened.code)
        else if (happened.act === 'wait') world.now += happened.seconds * 1000
        else world.crash(happened.forgets)
        world.reconcile()
      }
      world.now += 301_000
      world.reconcile()
      world.reconcile()
      expect(world.pod.status?.phase).toBe('Running')
      expect(world.pod.status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True')
    }),
    { numRuns: 300 },
  )
})
