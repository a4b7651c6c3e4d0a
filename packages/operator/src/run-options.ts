// What `run` takes, read and checked before anything begins.

import { type Clock, type Log, systemClock } from '@homeostat/base'
import { stderrLog } from '@homeostat/base/stderr-log'
import type { Client } from '@homeostat/client'
import { type Duration, milliseconds } from '@homeostat/meta'
import type { PullOptions } from './pull/pull-options.ts'
import type { CacheSelection } from './runtime/caches.ts'
import type { Controlled } from './runtime/controlled.ts'
import { kindKey } from './runtime/object-key.ts'
import type { CompanionOptions } from './start-companions.ts'

export interface RunOptions extends CompanionOptions {
  /** Default: the server that a kubeconfig, or the pod this runs in, leads to. It is then closed at the end. */
  readonly client?: Client
  /** Of the operator; it should have one, and keep it. Default: after the first kind. */
  readonly name?: string
  /** Names that it had before. Finalizers that it put on objects under these are its own. */
  readonly formerNames?: readonly string[]
  /** The manager of what it writes. It must never change. Default: the name. */
  readonly fieldManager?: string
  /** Looks at this namespace alone. Default: all. */
  readonly namespace?: string
  /** Runs at the same time, of all kinds together. Default 16. */
  readonly concurrency?: number
  /** Between tries of a run that failed. Default 500 ms to 5 min. */
  readonly backoff?: { readonly min?: Duration; readonly max?: Duration }
  /** By `apiVersion/Kind`: keeps a part of the kind alone. What is read beyond it is asked of the server, and not watched. */
  readonly caches?: Readonly<Record<string, CacheSelection>>
  /** Whether definitions are installed. Default true; changes that break what is there have to be allowed. */
  readonly install?: boolean | { readonly allowBreaking?: boolean }
  /** Runs as an executor that pulls its work from a colony, instead of watching its kinds. It needs no leader then. */
  readonly pull?: PullOptions
  /** Closes the operator when it ends. */
  readonly signal?: AbortSignal
  /** How long runs under way may take at the end before they are aborted. Default 10 s. */
  readonly shutdown?: Duration
  readonly clock?: Clock
  /** Between 0 and 1. Default Math.random. */
  readonly random?: () => number
  /** Default: lines on stderr, JSON unless that is a terminal, from the level on that HOMEOSTAT_LOG_LEVEL names (info). */
  readonly log?: Log
}

/** What `run` takes: what `controller()` and the ways to define an operator make. */
export type Runnable = Controlled

export type RunArguments = readonly (Controlled | readonly Controlled[] | RunOptions)[]

export function readArguments(args: RunArguments): { controlled: readonly Controlled[]; options: RunOptions } {
  const controlled: Controlled[] = []
  let options: RunOptions = {}
  for (const [index, argument] of args.entries()) {
    if (Array.isArray(argument)) controlled.push(...(argument as readonly Controlled[]))
    else if (isControlled(argument)) controlled.push(argument)
    else if (index === args.length - 1) options = argument as RunOptions
    else throw new Error('run() takes definitions, and options in the last place')
  }
  if (controlled.length === 0) throw new Error('run() needs at least one definition')
  const kinds = new Set<string>()
  for (const { apiVersion, kind } of controlled) {
    const key = kindKey({ apiVersion, kind })
    if (kinds.has(key)) {
      throw new Error(
        `${apiVersion} ${kind} is controlled twice: one status has one manager; use a run() of its own name`,
      )
    }
    kinds.add(key)
  }
  return { controlled, options }
}

function isControlled(argument: RunArguments[number]): argument is Controlled {
  return 'createBehaviour' in argument && typeof argument.createBehaviour === 'function'
}

/** The options with all defaults. Throws for what cannot be read. */
export function settingsOf(controlled: readonly Controlled[], options: RunOptions) {
  const { backoff = {}, namespace, caches } = options
  const defaultNames = controlled.map(defaultName)
  const given = options.fieldManager ?? options.name
  const fieldManager = given ?? defaultNames[0] ?? ''
  if (fieldManager === '' || fieldManager.length > MAX_MANAGER) {
    throw new Error(`"${fieldManager}" cannot be a field manager: it needs 1 to ${MAX_MANAGER} characters`)
  }
  return {
    namespace,
    caches,
    fieldManager,
    names: { fieldManager, isGiven: given !== undefined, formerNames: options.formerNames ?? [], defaultNames },
    concurrency: options.concurrency ?? 16,
    backoff: { min: milliseconds(backoff.min ?? '500ms'), max: milliseconds(backoff.max ?? '5m') },
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    log: options.log ?? stderrLog(),
    shutdownMs: milliseconds(options.shutdown ?? '10s'),
  }
}

/** Servers refuse longer ones. */
const MAX_MANAGER = 128

function defaultName(controlled: Controlled): string {
  const [group = '', kind = ''] = kindKey(controlled).split('/')
  const name = `${kind.toLowerCase()}-operator`
  return group === '' ? name : `${name}.${group}`.slice(0, MAX_MANAGER)
}
