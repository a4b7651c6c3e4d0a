// The interface between the handlers of resources and the rest of the colony. Types only.

import type { Api, CachedObject, User } from '@homeostat/apiserver'
import type { Clock, Log } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import type { Process, ProcessOutcome } from '@homeostat/executor/protocol'
import type { EventInput, EventSubject, RunWrite } from '@homeostat/meta/events'
import type { QueuedProcess } from '../queue/queued-process.ts'

/** The queued Processes of a resource: those with its uid as concurrency key. */
export interface ResourceProcesses {
  of(namespace: string, concurrencyKey: string): ProcessesOfResource
  /** Notifies when a Process with a concurrency key ended, was deleted, or waits again. Returns a function that unsubscribes. */
  onEnded(listener: (namespace: string, concurrencyKey: string) => void): () => void
}

export interface ProcessesOfResource {
  /** The newest waiting Process. */
  readonly waiting: QueuedProcess | undefined
  /** Other waiting Processes: older ones that were requeued because their executor was lost. */
  readonly surplus: readonly QueuedProcess[]
  readonly running: QueuedProcess | undefined
}

export interface AppliedOutcome {
  /** False for a periodic attempt that changed nothing: its Process is deleted instead of written. */
  readonly keep: boolean
  /** The attempt counts as failed, for these reasons, although its executor reports success. */
  readonly errors?: readonly string[]
  /** What the colony wrote about the resource and its children, for the Event of the run. */
  readonly writes?: readonly RunWrite[]
}

export interface Handlers {
  /**
   * Applies the resource's status and children before a Process with resource labels is closed, behind its fence.
   * Children are written with the rights of the user who sent the outcome. Throws when that is not possible now: the close
   * then fails, and the executor sends it again.
   */
  applyOutcome(process: Process, outcome: ProcessOutcome, user: User): Promise<AppliedOutcome>
  /** The bytes of an assigned Process with its resource's current status; undefined where those that are stored will do. */
  withCurrentStatus(process: CachedObject): Uint8Array | undefined
  /** Runs the controller. Resolves when the signal has ended it; never rejects. */
  run(): Promise<void>
}

/** Takes Events; the colony's recorder does. */
export interface EventTaker {
  record(regarding: EventSubject, event: EventInput): void
}

export interface HandlerParts {
  readonly api: Api
  /** Called with the first child. */
  readonly client: () => Promise<Client>
  /** A new client with the rights of this user, for the children that its executor reports. The caller closes it. */
  readonly clientAs: (user: User) => Promise<Client>
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
  readonly events: EventTaker
  readonly processes: ResourceProcesses
}
