// The options of `run`, read and checked before anything starts.

import { type Clock, type Log, systemClock } from '@homeostat/base'
import { stderrLog } from '@homeostat/base/stderr-log'
import type { Client, RateLimit } from '@homeostat/client'
import { type Duration, milliseconds, parseLabelSelector } from '@homeostat/meta'
import type { PullOptions } from './pull/pull-options.ts'
import { type AccessRule, checkAccess, checkChildren } from './runtime/access-rule.ts'
import type { CacheSelection } from './runtime/caches.ts'
import type { Controlled } from './runtime/controlled.ts'
import { NamespaceScope, type NamespaceSelection } from './runtime/namespace-scope.ts'
import { kindKey } from './runtime/object-key.ts'
import type { CompanionOptions } from './start-companions.ts'
import type { WebhookOptions } from './webhooks/webhook-options.ts'

export interface RunOptions extends CompanionOptions {
  /** Default: the server of a kubeconfig, or of the pod this runs in. A default client is closed with the operator. */
  readonly client?: Client
  /** Limits the requests of the default client; those about its Leases never wait. Default: no limit. */
  readonly rateLimit?: Pick<RateLimit, 'perSecond' | 'burst'>
  /** Name of the operator; give one and keep it. Default: derived from the first kind. */
  readonly name?: string
  /** Earlier names of the operator. It treats finalizers under these names as its own. */
  readonly formerNames?: readonly string[]
  /** The field manager of its writes. It must never change. Default: the name. */
  readonly fieldManager?: string
  /** Restricts the operator to this namespace: short for `namespaces: [it]`. */
  readonly namespace?: string
  /**
   * Restricts the operator to these namespaces, or to those whose labels match a selector, as they are now. Each has its
   * own watch of each kind. Cluster-scoped objects are served all the same. Default: all.
   */
  readonly namespaces?: NamespaceSelection
  /** Number of concurrent reconciles, over all kinds. Default 16. */
  readonly concurrency?: number
  /** Backoff between retries of a failed reconcile. Default 500 ms to 5 min. */
  readonly backoff?: { readonly min?: Duration; readonly max?: Duration }
  /** By `apiVersion/Kind`: caches only this selection. Reads beyond it go to the server and are not watched. */
  readonly caches?: Readonly<Record<string, CacheSelection>>
  /**
   * Whether to install definitions; breaking changes must be allowed explicitly. Default: where the server lets it,
   * and otherwise it waits until they are installed.
   */
  readonly install?: boolean | { readonly allowBreaking?: boolean }
  /** Rights that the program needs beyond those of its definitions. Changes nothing at run time; see `homeostat synth`. */
  readonly access?: readonly AccessRule[]
  /** Runs as an executor that pulls its work from a colony, instead of watching its kinds. It then needs no leader. */
  readonly pull?: PullOptions
  /** Where `validate`, `mutate` and conversions of the kinds are served, and how the API server reaches them. */
  readonly webhooks?: WebhookOptions
  /** Closes the operator when it aborts. */
  readonly signal?: AbortSignal
  /** How long active reconciles may take on shutdown before they are aborted. Default 10 s. */
  readonly shutdown?: Duration
  readonly clock?: Clock
  /** Between 0 and 1. Default Math.random. */
  readonly random?: () => number
  /** Default: lines on stderr, JSON unless that is a terminal, from the level in HOMEOSTAT_LOG_LEVEL on (info). */
  readonly log?: Log
}

/** What `run` takes: the result of `controller()`, `operator()` or `createCustomResourceDefinition()`. */
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

/** The options with all defaults. Throws for invalid ones. */
export function settingsOf(controlled: readonly Controlled[], options: RunOptions) {
  const { backoff = {}, caches } = options
  refuseContradictions(options)
  checkChildren(controlled.flatMap(({ children = [] }) => children))
  checkAccess([...controlled.flatMap(({ access = [] }) => access), ...(options.access ?? [])])
  const defaultNames = controlled.map(defaultName)
  const given = options.fieldManager ?? options.name
  const fieldManager = given ?? defaultNames[0] ?? ''
  if (fieldManager === '' || fieldManager.length > MAX_MANAGER) {
    throw new Error(`"${fieldManager}" cannot be a field manager: it needs 1 to ${MAX_MANAGER} characters`)
  }
  return {
    scope: new NamespaceScope(namespacesOf(options)),
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

function refuseContradictions(options: RunOptions): void {
  const { client, rateLimit, namespace, namespaces, pull, shards, leaderElection, leadership } = options
  if (client !== undefined && rateLimit !== undefined) {
    throw new Error('run() limits only its default client: give the rateLimit to createClient() instead')
  }
  if (namespace !== undefined && namespaces !== undefined) {
    throw new Error('run() takes either namespace or namespaces')
  }
  if (pull !== undefined && namespaces !== undefined) {
    throw new Error('an operator that pulls takes its work from one colony: give it a namespace instead of namespaces')
  }
  if (shards && (leaderElection || leadership !== undefined)) {
    throw new Error('with shards every process acts: leave out leaderElection and leadership')
  }
  if (shards && pull !== undefined) {
    throw new Error('an operator that pulls has its objects assigned by the colony: leave out shards')
  }
}

/** Checks a selector, and a list: an empty one would be an operator that does nothing, e.g. for an unset variable. */
function namespacesOf({ namespace, namespaces }: RunOptions): NamespaceSelection | undefined {
  if (namespace !== undefined) return [namespace]
  if (namespaces === undefined) return undefined
  if ('labels' in namespaces) {
    if (parseLabelSelector(namespaces.labels).requirements.length > 0) return namespaces
    throw new Error('namespaces.labels selects every namespace: leave namespaces out for that')
  }
  const names = [...new Set(namespaces)]
  if (names.length > 0 && names.every((name) => name !== '')) return names
  throw new Error('namespaces names no namespace, or an empty one: leave namespaces out to serve all')
}

/** Servers refuse longer field managers. */
const MAX_MANAGER = 128

function defaultName(controlled: Controlled): string {
  const [group = '', kind = ''] = kindKey(controlled).split('/')
  const name = `${kind.toLowerCase()}-operator`
  return group === '' ? name : `${name}.${group}`.slice(0, MAX_MANAGER)
}
