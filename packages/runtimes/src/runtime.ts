// The contract of a runtime. A driver starts units, lists them and reports changes; it decides nothing. After a crash of
// its caller, the units are found again by their labels.

export type PullPolicy = 'Always' | 'IfNotPresent' | 'Never'

export interface PublishedPort {
  readonly containerPort: number
  /** The port of this machine. Default: one that is free. */
  readonly hostPort?: number
  /** The address of this machine. Default: loopback. */
  readonly hostIP?: string
  /** Default `tcp`. */
  readonly protocol?: 'tcp' | 'udp'
}

/** What a registry asks for before it hands an image out. */
export interface RegistryLogin {
  readonly username: string
  readonly password: string
}

/** One thing to run: the container of a pod, or an executor. */
export interface Unit {
  /** Unique among all units that were not removed; starting it a second time is a no-op that returns the same id. */
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly image?: string
  /** When the image is fetched from its registry. Default: the driver's. */
  readonly pullPolicy?: PullPolicy
  /** Used for the pull alone, and kept nowhere. */
  readonly registryLogin?: RegistryLogin
  /** Program and arguments. Default: those of the image. */
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly workingDir?: string
  readonly mounts?: readonly { readonly source: string; readonly target: string; readonly readOnly?: boolean }[]
  /** Ports of a container that are reached on this machine. */
  readonly ports?: readonly PublishedPort[]
  /** The most that a container gets: cores, and bytes of memory. */
  readonly limits?: { readonly cpu?: number; readonly memory?: number }
  /** Uses the host's network instead of one of its own. */
  readonly hostNetwork?: boolean
  /** Knows this machine by the name `host.docker.internal`, where it has a network of its own. */
  readonly reachesHost?: boolean
  /** Whether the unit is expected to end by itself; the simulated runtime then ends it after a moment. */
  readonly endsByItself?: boolean
  /** Between SIGTERM and SIGKILL. Default 30. */
  readonly graceSeconds?: number
}

export interface UnitState {
  readonly id: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly phase: 'starting' | 'running' | 'exited'
  /** The pid of the program, if units are processes of this machine. */
  readonly pid?: number
  readonly startedAt?: number
  readonly finishedAt?: number
  readonly exitCode?: number
  /** Why it is not running, e.g. `Completed`. */
  readonly reason?: string
  readonly message?: string
  /** The IP address of its ports; loopback when absent, unreachable when empty. */
  readonly address?: string
}

export interface ExecResult {
  readonly exitCode: number
  /** The beginning of its output. */
  readonly output: string
}

export interface LogOptions {
  readonly follow?: boolean
  /** Only this many lines from the end. */
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
  /** Nothing really runs; a program that shows units of this runtime must say so. */
  readonly simulated: boolean
  /** All units with these labels, running or exited, until they are removed. */
  list(labels: Readonly<Record<string, string>>): Promise<UnitState[]>
  /** Resolves with the unit's id when the start is durable; rejects when the unit cannot be started. */
  start(unit: Unit): Promise<string>
  /** Stops the unit if it runs, waits for its end, and removes it. An unknown id is no error. */
  stop(id: string, options?: { readonly graceSeconds?: number }): Promise<void>
  logs(id: string, options?: LogOptions): AsyncIterable<Uint8Array>
  /** Runs a command inside the unit. Drivers without `exec` run units in the caller's own environment. */
  exec?(id: string, command: readonly string[], signal: AbortSignal): Promise<ExecResult>
  /** Calls back with each changed unit until the returned function is called. It may skip states, never the last one. */
  watch(onChange: (state: UnitState) => void): () => void
  close(): Promise<void>
}
