// What `executor()` takes and gives, read and checked before anything begins.

import { type Clock, type Log, systemClock } from '@homeostat/base'
import { stderrLog } from '@homeostat/base/stderr-log'
import type { Client } from '@homeostat/client'
import { type Duration, dns1123Label, dns1123Subdomain, generateName, milliseconds } from '@homeostat/meta'
import type { ProcessContext } from './process-context.ts'
import type { Process, ProcessOutcome } from './protocol.ts'

/** What it returns, once awaited, is the output of the process. */
export type ExecutorFunction = (context: ProcessContext) => unknown

export interface ExecutorOptions {
  /** Processes name the type of executor that may run them. */
  readonly type: string
  /** By the name that processes call them. */
  readonly functions: Readonly<Record<string, ExecutorFunction>>
  /** The namespace. Default: the variable COLONIES_COLONY_NAME, else `default`. */
  readonly colony?: string
  /** A DNS name, which no other executor of the colony has. Default: the type and five random letters. */
  readonly name?: string
  /** Default: the server that a kubeconfig, or the pod this runs in, leads to. It is then closed at the end. */
  readonly client?: Client
  /** Processes may ask for it. */
  readonly location?: string
  /** For people; `cpu` and `memory` are what processes share. */
  readonly capabilities?: Readonly<Record<string, unknown>>
  /** Processes at the same time. Default 1. */
  readonly concurrency?: number
  /** Closes the executor when it ends. */
  readonly signal?: AbortSignal
  /** How long running functions may take after `close()` before they are aborted. Default 30 s. */
  readonly drain?: Duration
  /** Default: lines on stderr, JSON unless that is a terminal, from the level on that HOMEOSTAT_LOG_LEVEL names (info). */
  readonly log?: Log
  readonly clock?: Clock
  /** Between 0 and 1. Default Math.random. */
  readonly random?: () => number
  /** A process begins to run here. */
  readonly onAssigned?: (process: Process) => void
  /** The server took the end of a process. */
  readonly onClosed?: (process: Process, outcome: ProcessOutcome) => void
}

export interface RunningExecutor extends AsyncDisposable {
  readonly name: string
  readonly colony: string
  /** The server knows the executor. Rejects when it cannot start. */
  readonly ready: Promise<void>
  /** The executor has ended. Rejects when it could not start. */
  readonly done: Promise<void>
  /** How many functions run now. */
  readonly held: number
  /** Takes no more, lets running functions end, says how they did, and takes the Executor away. Safe to call twice. */
  close(): Promise<void>
}

export type Settings = ReturnType<typeof settingsOf>

/** The options with all defaults. Throws for what cannot be right. */
export function settingsOf(options: ExecutorOptions, env: Readonly<Record<string, string | undefined>> = process.env) {
  const { type, functions, concurrency = 1, random = Math.random } = options
  if (typeof type !== 'string' || type === '') throw new Error('an executor needs a type, such as "python"')
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new Error(`the concurrency of an executor must be a whole number from 1 on, not ${concurrency}`)
  }
  const colony = options.colony ?? (env.COLONIES_COLONY_NAME || 'default')
  check('colony', colony, dns1123Label(colony))
  const name = options.name ?? generateName(`${asName(type)}-`, random)
  check('name of an executor', name, dns1123Subdomain(name))
  return {
    type,
    functions: new Map(Object.entries(functions)),
    colony,
    name,
    location: options.location,
    capabilities: options.capabilities,
    concurrency,
    drainMs: milliseconds(options.drain ?? '30s'),
    random,
    clock: options.clock ?? systemClock,
    log: options.log ?? stderrLog(),
    onAssigned: options.onAssigned ?? (() => {}),
    onClosed: options.onClosed ?? (() => {}),
  }
}

function check(what: string, value: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`"${value}" cannot be the ${what}: ${problems.join('; ')}`)
}

/** Types are free texts, names are not. */
function asName(type: string): string {
  const letters = type.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return letters.replace(/^-+|-+$/g, '') || 'executor'
}
