// The interface between the handlers of resources and the rest of the colony. Types only.

import type { Api } from '@homeostat/apiserver'
import type { Clock, Log } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import type { Process, ProcessOutcome } from '@homeostat/executor/protocol'
import type { QueuedProcess } from '../queue/queued-process.ts'

/** What the queue knows of the Processes of a resource: those with its uid as concurrency key. */
export interface ResourceProcesses {
  of(namespace: string, concurrencyKey: string): ProcessesOfResource
  /** Calls back when a Process with a concurrency key has ended, has gone, or waits again. The answer ends that. */
  onEnded(listener: (namespace: string, concurrencyKey: string) => void): () => void
}

export interface ProcessesOfResource {
  /** The newest of those that wait. */
  readonly waiting: QueuedProcess | undefined
  /** Others that wait: older ones that came back from an executor that was lost. */
  readonly surplus: readonly QueuedProcess[]
  readonly running: QueuedProcess | undefined
}

export interface AppliedOutcome {
  /** False: a periodic run that changed nothing. Its Process is deleted instead of being written. */
  readonly keep: boolean
  /** The run counts as failed, for these reasons, although its executor says otherwise. */
  readonly errors?: readonly string[]
}

export interface Handlers {
  /**
   * Before a Process with resource labels is closed, behind the fence: applies the resource's status and children.
   * Throws when that cannot be done now: the close then fails and is sent again.
   */
  applyOutcome(process: Process, outcome: ProcessOutcome): Promise<AppliedOutcome>
  /** Runs the controller. Resolves when the signal has ended it; never rejects. */
  run(): Promise<void>
}

export interface HandlerParts {
  readonly api: Api
  /** For children, with the first of them. */
  readonly client: () => Promise<Client>
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
  readonly processes: ResourceProcesses
}
