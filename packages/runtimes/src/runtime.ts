// Where things run. A driver starts units, knows what runs and tells when that changes; it decides nothing. What it
// started is found again by its labels after a crash of whoever asked.

export type PullPolicy = 'Always' | 'IfNotPresent' | 'Never'

/** One thing to run: the container of a pod, or an executor. */
export interface Unit {
  /** Unique among all units that were not removed; starting it a second time is a no-op that answers the same id. */
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly image?: string
  /** When the image is fetched from its registry. Default: the driver's. */
  readonly pullPolicy?: PullPolicy
  /** Program and arguments; without them the image's own. */
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly workingDir?: string
  readonly mounts?: readonly { readonly source: string; readonly target: string; readonly readOnly?: boolean }[]
  /** Shares the machine's network, if the driver has others. */
  readonly hostNetwork?: boolean
  /** It is meant to come to its end by itself; a driver that only simulates ends it after a moment. */
  readonly endsByItself?: boolean
  /** Between being asked to stop and being made to. Default 30. */
  readonly graceSeconds?: number
}

export interface UnitState {
  readonly id: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly phase: 'starting' | 'running' | 'exited'
  /** Of the program, where units are processes of this machine. */
  readonly pid?: number
  readonly startedAt?: number
  readonly finishedAt?: number
  readonly exitCode?: number
  /** Why it is not running, in words. */
  readonly reason?: string
  readonly message?: string
  /** Where its ports are reached: on loopback when absent, nowhere when empty. */
  readonly address?: string
}

export interface ExecResult {
  readonly exitCode: number
  /** The beginning of what it printed. */
  readonly output: string
}

export interface LogOptions {
  readonly follow?: boolean
  /** Only the last so many lines. */
  readonly tailLines?: number
  readonly limitBytes?: number
  /** Milliseconds since the epoch. */
  readonly since?: number
  /** Puts an RFC 3339 time before each line. */
  readonly timestamps?: boolean
  readonly signal?: AbortSignal
}

export interface Runtime {
  readonly name: string
  /** Nothing really runs; whoever shows units of this driver has to say so. */
  readonly simulated: boolean
  /** All units with these labels, running or exited, until they are removed. */
  list(labels: Readonly<Record<string, string>>): Promise<UnitState[]>
  /** Resolves with the unit's id when it is durable that it was started; rejects when it cannot be. */
  start(unit: Unit): Promise<string>
  /** Ends the unit if it runs, waits for that, and forgets it. An unknown id is fine. */
  stop(id: string, options?: { readonly graceSeconds?: number }): Promise<void>
  logs(id: string, options?: LogOptions): AsyncIterable<Uint8Array>
  /** Runs a command where the unit runs. Drivers without it have units that run where whoever asks does. */
  exec?(id: string, command: readonly string[], signal: AbortSignal): Promise<ExecResult>
  /** Calls back with each unit that changed, until the answer is called. It may miss states, never the last one. */
  watch(onChange: (state: UnitState) => void): () => void
  close(): Promise<void>
}
