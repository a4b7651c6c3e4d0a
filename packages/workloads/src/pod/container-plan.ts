// Decides the status of one container and whether it starts now or later. Pure. Init containers differ from the others only
// in their restart rule.

import { parseRfc3339, rfc3339 } from '@homeostat/meta'
import type { UnitState } from '@homeostat/runtimes'
import type { Container, ContainerState, ContainerStatus, Terminated } from '../kinds.ts'
import { type BackOff, restartAt } from './back-off.ts'
import { firstProbeAt, type Readiness } from './readiness.ts'
import { attemptOf } from './unit-name.ts'

/** The memory of a container between reconciles; lost when the server ends. */
export interface ContainerMemory {
  readonly backOff?: BackOff
  /** Why its last start failed. */
  readonly refusal?: { readonly reason: string; readonly message: string; readonly retryAt: number }
  readonly readiness?: Readiness
}

export interface ContainerInput {
  readonly container: Container
  /** Newest attempt first. */
  readonly units: readonly UnitState[]
  readonly before: ContainerStatus | undefined
  readonly memory: ContainerMemory
  readonly restarts: 'always' | 'on failure' | 'never'
  /** The runtime's name, and whether it only simulates. */
  readonly runtime: { readonly name: string; readonly simulated: boolean }
  /** Nothing may start: the pod has ended. */
  readonly ended: boolean
  readonly now: number
}

export interface ContainerPlan {
  readonly status: ContainerStatus
  /** The attempt to start now. */
  readonly start?: number
  /** The unit to probe for readiness now. */
  readonly probe?: UnitState
  /** When to reconcile again. */
  readonly at?: number
}

export function planContainer(input: ContainerInput): ContainerPlan {
  const { container, units, before } = input
  const [unit] = units
  const attempt = unit ? attemptOf(unit) : (before?.restartCount ?? 0)
  const last = lastState(input, attempt)
  const status = (state: ContainerState, more: Partial<ContainerStatus> = {}): ContainerStatus => ({
    name: container.name,
    image: container.image ?? '',
    imageID: '',
    ready: false,
    started: false,
    restartCount: attempt,
    state,
    lastState: last ? { terminated: last } : {},
    ...(unit && { containerID: containerId(input, unit) }),
    ...more,
  })
  if (unit?.phase === 'starting') return { status: status(CREATING) }
  if (unit?.phase === 'running') {
    const { ready, ...more } = readiness(input, unit)
    const startedAt = rfc3339(unit.startedAt ?? input.now)
    return { status: status({ running: { startedAt } }, { ready, started: true }), ...more }
  }
  const end = unit ? terminated(input, unit) : lostEnd(input)
  if (!end) return first(input, attempt, status)
  if (isDone(input, end)) return { status: status({ terminated: end }) }
  return again(input, attempt, end, status)
}

/** A running container without a probe is ready; so is a simulated one. */
function readiness(
  { container: { readinessProbe }, memory, runtime, now }: ContainerInput,
  unit: UnitState,
): { ready: boolean; probe?: UnitState; at?: number } {
  if (!readinessProbe || runtime.simulated) return { ready: true }
  const known = memory.readiness?.unit === unit.id ? memory.readiness : undefined
  const due = known?.dueAt ?? firstProbeAt(readinessProbe, unit.startedAt ?? now)
  const ready = known?.ready ?? false
  return due <= now ? { ready, probe: unit } : { ready, at: due }
}

/** A container that never ran. */
function first(
  { memory, ended, now }: ContainerInput,
  attempt: number,
  status: (state: ContainerState) => ContainerStatus,
): ContainerPlan {
  const { refusal } = memory
  if (ended) return { status: status(CREATING) }
  if (!refusal) return { status: status(CREATING), start: attempt }
  const { reason, message, retryAt } = refusal
  const waiting = status({ waiting: { reason, message } })
  return retryAt <= now ? { status: waiting, start: attempt } : { status: waiting, at: retryAt }
}

/** A container that ended and must restart. */
function again(
  { container, memory, now }: ContainerInput,
  attempt: number,
  end: Terminated,
  status: (state: ContainerState, more?: Partial<ContainerStatus>) => ContainerStatus,
): ContainerPlan {
  const lastState = { terminated: end }
  const { refusal } = memory
  if (refusal && refusal.retryAt > now) {
    const { reason, message, retryAt } = refusal
    return { status: status({ waiting: { reason, message } }, { lastState }), at: retryAt }
  }
  const at = restartAt(memory.backOff, parseRfc3339(end.finishedAt ?? '') ?? 0)
  if (at <= now) return { status: status({ terminated: end }), start: attempt + 1 }
  const message = `back-off ${(memory.backOff?.delayMs ?? 0) / 1000}s restarting failed container=${container.name}`
  return { status: status({ waiting: { reason: 'CrashLoopBackOff', message } }, { lastState }), at }
}

function isDone({ restarts, ended }: ContainerInput, { exitCode }: Terminated): boolean {
  return ended || restarts === 'never' || (restarts === 'on failure' && exitCode === 0)
}

function terminated(input: ContainerInput, unit: UnitState): Terminated {
  const { exitCode = 137, startedAt, finishedAt, reason, message } = unit
  return {
    exitCode,
    reason: reason ?? (exitCode === 0 ? 'Completed' : 'Error'),
    ...(message && { message }),
    ...(startedAt !== undefined && { startedAt: rfc3339(startedAt) }),
    ...(finishedAt !== undefined && { finishedAt: rfc3339(finishedAt) }),
    containerID: containerId(input, unit),
  }
}

function containerId({ runtime }: ContainerInput, { id }: UnitState): string {
  return `${runtime.name}://${id}`
}

/** The end of a container that its runtime has lost; undefined if it starts as if for the first time. */
function lostEnd({ before, runtime, now }: ContainerInput): Terminated | undefined {
  const { state = {}, lastState = {} } = before ?? {}
  if (state.terminated) return state.terminated
  if (state.waiting && lastState.terminated) return lastState.terminated
  // A simulated container simply starts again.
  if (!state.running || runtime.simulated) return undefined
  return {
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: `the runtime ${runtime.name} does not know this container any more`,
    ...(state.running.startedAt && { startedAt: state.running.startedAt }),
    finishedAt: rfc3339(now),
    ...(before?.containerID && { containerID: before.containerID }),
  }
}

/** How the previous attempt ended. */
function lastState(input: ContainerInput, attempt: number): Terminated | undefined {
  const previous = input.units.find((unit) => attemptOf(unit) < attempt && unit.phase === 'exited')
  if (previous) return terminated(input, previous)
  const { before } = input
  if (!before) return undefined
  if (before.restartCount >= attempt) return before.lastState?.terminated
  return before.state?.terminated ?? before.lastState?.terminated
}

const CREATING: ContainerState = { waiting: { reason: 'ContainerCreating' } }
