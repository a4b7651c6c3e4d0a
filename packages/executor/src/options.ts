// The options of `executor()`, checked before it starts, and the interface that it returns.

import { type Clock, type Log, systemClock } from '@homeostat/base'
import { stderrLog } from '@homeostat/base/stderr-log'
import type { Client } from '@homeostat/client'
import { type Duration, dns1123Label, dns1123Subdomain, generateName, milliseconds } from '@homeostat/meta'
import { readCredential, type StoredCredential } from './credential-file.ts'
import type { ProcessContext } from './process-context.ts'
import type { Process, ProcessOutcome } from './protocol.ts'

/** Its return value, once awaited, is the output of the Process. */
export type ExecutorFunction = (context: ProcessContext) => unknown

export interface ExecutorOptions {
  /** Processes name the type of executor that may run them. */
  readonly type: string
  /** The functions by the `funcName` of Processes. */
  readonly functions: Readonly<Record<string, ExecutorFunction>>
  /** The namespace. Default: the variable COLONIES_COLONY_NAME, else that of the credential, else `default`. */
  readonly colony?: string
  /** A DNS name that is unique in the colony. Default: that of the credential, else the type and five random letters. */
  readonly name?: string
  /**
   * The file with the executor's credential, which `homeostat executor create` and `joinColony` write. Its token is renewed
   * before it ends. Default: the variable KUBECONFIG, if it names such a file.
   */
  readonly credential?: string
  /** Default: a client from the credential, the kubeconfig or the Pod's service account, which is closed at the end. */
  readonly client?: Client
  /** Processes can demand a location. */
  readonly location?: string
  /** Free-form facts for people. The Processes that run share `cpu` and `memory`, and may demand what `software` lists. */
  readonly capabilities?: Readonly<Record<string, unknown>>
  /** How many Processes run at the same time. Default 1. */
  readonly concurrency?: number
  /**
   * How many more are fetched ahead while functions end within a tenth of a second, so that the next begins without a call. What does
   * not begin soon is given back. Default: as many as `concurrency`; 0 fetches nothing ahead.
   */
  readonly prefetch?: number
  /** The executor closes when this signal is aborted. */
  readonly signal?: AbortSignal
  /** How long running functions may take after `close()` before they are aborted. Default 30 s. */
  readonly drain?: Duration
  /** Default: lines on stderr, JSON unless that is a terminal, from the level on that HOMEOSTAT_LOG_LEVEL names (info). */
  readonly log?: Log
  readonly clock?: Clock
  /** Between 0 and 1. Default Math.random. */
  readonly random?: () => number
  /** Called when a Process starts to run here. */
  readonly onAssigned?: (process: Process) => void
  /** Called when the server accepted the outcome of a Process. */
  readonly onClosed?: (process: Process, outcome: ProcessOutcome) => void
}

export interface RunningExecutor extends AsyncDisposable {
  readonly name: string
  readonly colony: string
  /** Resolves when the executor is registered. Rejects when it cannot start. */
  readonly ready: Promise<void>
  /** Resolves when the executor has ended. Rejects when it could not start. */
  readonly done: Promise<void>
  /** The number of functions that run now. */
  readonly held: number
  /** Takes no more Processes, lets running functions end, reports their outcomes and deletes the Executor. Safe to call twice. */
  close(): Promise<void>
}

export type Settings = ReturnType<typeof settingsOf>

/** The options with their defaults. Throws for an invalid option. */
export function settingsOf(options: ExecutorOptions, env: Readonly<Record<string, string | undefined>> = process.env) {
  const { type, functions, concurrency = 1, random = Math.random } = options
  if (typeof type !== 'string' || type === '') throw new Error('an executor needs a type, such as "python"')
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new Error(`the concurrency of an executor must be a whole number from 1 on, not ${concurrency}`)
  }
  const { prefetch = concurrency } = options
  if (!Number.isInteger(prefetch) || prefetch < 0) {
    throw new Error(`the prefetch of an executor must be a whole number from 0 on, not ${prefetch}`)
  }
  const credential = credentialOf(options, env)
  const colony = options.colony ?? (env.COLONIES_COLONY_NAME || (credential?.colony ?? 'default'))
  check('colony', colony, dns1123Label(colony))
  const name = options.name ?? credential?.executor ?? generateName(`${asName(type)}-`, random)
  check('name of an executor', name, dns1123Subdomain(name))
  return {
    type,
    functions: new Map(Object.entries(functions)),
    colony,
    name,
    credential,
    location: options.location,
    capabilities: options.capabilities,
    concurrency,
    prefetch,
    drainMs: milliseconds(options.drain ?? '30s'),
    random,
    clock: options.clock ?? systemClock,
    log: options.log ?? stderrLog(),
    onAssigned: options.onAssigned ?? (() => {}),
    onClosed: options.onClosed ?? (() => {}),
  }
}

function credentialOf(
  { client, credential }: ExecutorOptions,
  env: Readonly<Record<string, string | undefined>>,
): StoredCredential | undefined {
  if (credential !== undefined) {
    const stored = readCredential(credential)
    if (stored === undefined) throw new Error(`${credential} is not the credential of an executor`)
    return stored
  }
  return client === undefined && env.KUBECONFIG ? readCredential(env.KUBECONFIG) : undefined
}

function check(what: string, value: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`"${value}" cannot be the ${what}: ${problems.join('; ')}`)
}

/** Turns a type, which is free text, into a part of a DNS name. */
function asName(type: string): string {
  const letters = type.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return letters.replace(/^-+|-+$/g, '') || 'executor'
}
