// The wire format of schedules: work that is made at certain times. docs/schedules.md explains it. The entry `./schedules`.

import type { ApiObject } from '@homeostat/client'
import type { ProcessGraphSpec } from './graph-protocol.ts'
import type { ProcessSpec } from './protocol.ts'

export interface ScheduleSpec {
  /** Five fields, or six with seconds first. One of cron, intervalSeconds and at is given. */
  readonly cron?: string
  /** Of `cron`. Default UTC. */
  readonly timeZone?: string
  readonly intervalSeconds?: number
  /** One time. */
  readonly at?: string
  /** Each schedule is late by a part of this that follows from its uid. */
  readonly jitterSeconds?: number
  /** What happens to a tick while a run is active. Default Allow. */
  readonly concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace'
  /** A tick that is later than this is not run. If absent, it is run however late. */
  readonly startingDeadlineSeconds?: number
  /** How many missed ticks are made up for at most, the newest. Default 1. */
  readonly catchUp?: number
  readonly suspend?: boolean
  /** How many ended runs are kept. Defaults 3 and 1. */
  readonly successfulRunsHistoryLimit?: number
  readonly failedRunsHistoryLimit?: number
  /** Ended runs are deleted after this. Default 604800, a week. */
  readonly runTtlSeconds?: number
  /** What is made: one of both. */
  readonly process?: Omit<ProcessSpec, 'cancel' | 'inputFrom' | 'ttlSecondsAfterFinished'>
  readonly graph?: Pick<ProcessGraphSpec, 'nodes' | 'onFailure'>
}

/** A run that is about to be made. It is in the status before the run is there. */
export interface PendingRun {
  readonly name: string
  /** When it was due; when it was asked for, for a run by hand. */
  readonly time: string
  /** Absent for a run by hand, which is no tick. */
  readonly tick?: string
}

export interface ScheduleStatus {
  /** What its ticks follow from, to see when that changes. */
  readonly timing?: string
  /** Only later ticks count. */
  readonly since?: string
  readonly suspended?: boolean
  /** The last tick that was decided. */
  readonly lastTick?: string
  readonly pending?: PendingRun
  readonly lastRun?: { readonly name: string; readonly time: string }
  readonly nextRun?: string
  /** How many ticks were not run: skipped for an active run, or missed. */
  readonly skippedTicks?: number
}

export interface Schedule extends ApiObject {
  readonly spec: ScheduleSpec
  readonly status?: ScheduleStatus
}

/** On the runs of a schedule. Only the colony sets them. */
export const SCHEDULE_LABELS = { name: 'colonies.io/schedule', uid: 'colonies.io/schedule-uid' } as const
/** On a run: when it was due. */
export const SCHEDULED_AT_ANNOTATION = 'colonies.io/scheduled-at'
