// Turns Docker's description of a container into the state of a unit. Pure.

import type { UnitState } from '../runtime.ts'
import { unitOfLabels } from './container-spec.ts'

/** The parts that are read of `GET /containers/ID/json`. */
export interface Container {
  readonly Id: string
  readonly Config: { readonly Labels?: Readonly<Record<string, string>> | null; readonly StopTimeout?: number | null }
  readonly State: {
    readonly Status: string
    readonly Paused?: boolean
    readonly OOMKilled?: boolean
    readonly ExitCode?: number
    readonly Error?: string
    readonly StartedAt?: string
    readonly FinishedAt?: string
  }
  readonly HostConfig?: { readonly NetworkMode?: string }
  readonly NetworkSettings?: {
    readonly IPAddress?: string
    readonly Networks?: Readonly<Record<string, { readonly IPAddress?: string }>> | null
  }
}

/** The parts that are read of an event about a container. */
export interface ContainerEvent {
  readonly Action?: string
  readonly Actor?: { readonly ID?: string; readonly Attributes?: Readonly<Record<string, string>> }
  /** Nanoseconds since the epoch, more digits than a number has. */
  readonly timeNano?: number
}

/** Undefined for a container that is not this owner's. */
export function stateOf(container: Container, owner: string): UnitState | undefined {
  const { Id, Config, State } = container
  const unit = unitOfLabels(Config.Labels ?? {}, owner)
  if (!unit) return undefined
  const startedAt = timeOf(State.StartedAt)
  const base = { id: Id, ...unit, ...(startedAt !== undefined && { startedAt }) }
  if (State.Status === 'created') return { ...base, phase: 'starting' }
  if (!ENDED.has(State.Status)) {
    const address = addressOf(container)
    const paused = State.Paused === true && { reason: 'Paused', message: 'somebody has paused the container' }
    return { ...base, phase: 'running', ...(address !== undefined && { address }), ...paused }
  }
  const { ExitCode: exitCode = 137, Error: problem = '' } = State
  const finishedAt = timeOf(State.FinishedAt)
  return {
    ...base,
    phase: 'exited',
    exitCode,
    reason: reasonOf(State, exitCode, startedAt),
    // The two times come from two clocks: a container that exits at once may seem to have ended before its start.
    ...(finishedAt !== undefined && { finishedAt: Math.max(finishedAt, startedAt ?? 0) }),
    ...(problem && { message: problem }),
  }
}

/** The end of a container that was removed before an inspection, from the event alone. */
export function stateOfEnd({ Actor, timeNano = 0 }: ContainerEvent, owner: string): UnitState | undefined {
  const { ID: id, Attributes = {} } = Actor ?? {}
  const unit = unitOfLabels(Attributes, owner)
  if (!unit || id === undefined) return undefined
  const exitCode = Number(Attributes.exitCode ?? 137)
  const finishedAt = Math.floor(timeNano / 1e6)
  return { id, ...unit, phase: 'exited', exitCode, finishedAt, reason: exitCode === 0 ? 'Completed' : 'Error' }
}

/** The state of a unit whose container another program removed. */
export function removedState(last: UnitState, now: number): UnitState {
  return {
    ...last,
    phase: 'exited',
    exitCode: 137,
    finishedAt: now,
    reason: 'Removed',
    message: 'somebody else has removed the container',
  }
}

function reasonOf({ OOMKilled }: Container['State'], exitCode: number, startedAt: number | undefined): string {
  if (OOMKilled === true) return 'OOMKilled'
  if (startedAt === undefined) return 'StartError'
  return exitCode === 0 ? 'Completed' : 'Error'
}

/** The engine writes the year 1 for a time that has not come. */
function timeOf(text = ''): number | undefined {
  const time = Date.parse(text)
  return Number.isNaN(time) || time <= 0 ? undefined : time
}

/** Undefined in the host's network. */
function addressOf({ HostConfig, NetworkSettings }: Container): string | undefined {
  if (HostConfig?.NetworkMode === 'host') return undefined
  const networks = Object.values(NetworkSettings?.Networks ?? {}).map(({ IPAddress }) => IPAddress)
  return [NetworkSettings?.IPAddress, ...networks].find((address) => address) ?? ''
}

const ENDED: ReadonlySet<string> = new Set(['exited', 'dead', 'removing'])
