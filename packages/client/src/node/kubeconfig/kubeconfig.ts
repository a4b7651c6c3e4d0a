// The content of a kubeconfig, and how several merge: for each name, the first file wins. Relative paths are resolved
// against the folder of their file. Pure.

import { isAbsolute, resolve } from 'node:path'
import type { ExecConfig } from '../credentials/exec-credential.ts'

export interface ClusterEntry {
  readonly server?: string
  readonly 'certificate-authority'?: string
  readonly 'certificate-authority-data'?: string
  readonly 'insecure-skip-tls-verify'?: boolean
  readonly 'tls-server-name'?: string
  readonly 'proxy-url'?: string
}

export interface UserEntry {
  readonly 'client-certificate'?: string
  readonly 'client-certificate-data'?: string
  readonly 'client-key'?: string
  readonly 'client-key-data'?: string
  readonly token?: string
  readonly tokenFile?: string
  readonly username?: string
  readonly password?: string
  readonly as?: string
  readonly 'as-uid'?: string
  readonly 'as-groups'?: readonly string[]
  readonly exec?: ExecConfig | null
  readonly 'auth-provider'?: { readonly name?: string } | null
}

export interface ContextEntry {
  readonly cluster?: string
  readonly user?: string
  readonly namespace?: string
}

export interface Kubeconfig {
  /** Empty when no file sets it. */
  readonly currentContext: string
  readonly clusters: ReadonlyMap<string, ClusterEntry>
  readonly users: ReadonlyMap<string, UserEntry>
  readonly contexts: ReadonlyMap<string, ContextEntry>
}

/** Throws when the document is not a kubeconfig. */
export function readDocument(document: unknown, folder: string): Kubeconfig {
  // Like kubectl, reads an empty file as an empty configuration.
  const { 'current-context': current = '', clusters, users, contexts } = fields(document ?? {})
  return {
    currentContext: typeof current === 'string' ? current : '',
    clusters: entries(clusters, 'clusters', 'cluster', (entry) => absolute(entry, folder, ['certificate-authority'])),
    users: entries(users, 'users', 'user', (entry) => absoluteUser(entry, folder)),
    contexts: entries(contexts, 'contexts', 'context', (entry) => entry),
  }
}

export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const first = <T>(maps: ReadonlyMap<string, T>[]) => new Map(maps.toReversed().flatMap((map) => [...map]))
  return {
    currentContext: configs.find(({ currentContext }) => currentContext !== '')?.currentContext ?? '',
    clusters: first(configs.map(({ clusters }) => clusters)),
    users: first(configs.map(({ users }) => users)),
    contexts: first(configs.map(({ contexts }) => contexts)),
  }
}

function entries<T>(
  list: unknown,
  field: string,
  inner: string,
  read: (entry: Record<string, unknown>) => unknown,
): ReadonlyMap<string, T> {
  const found = new Map<string, T>()
  if (list === undefined || list === null) return found
  if (!Array.isArray(list)) throw new Error(`${field} is not a list`)
  for (const item of list) {
    const { name, [inner]: entry } = fields(item)
    if (typeof name !== 'string') throw new Error(`an entry of ${field} has no name`)
    if (!found.has(name)) found.set(name, read(fields(entry ?? {})) as T)
  }
  return found
}

function absoluteUser(entry: Record<string, unknown>, folder: string): Record<string, unknown> {
  const user = absolute(entry, folder, ['client-certificate', 'client-key', 'tokenFile'])
  const { exec } = user
  // A bare command is looked up in PATH; one with a slash is relative to the kubeconfig.
  if (typeof exec !== 'object' || exec === null || !`${fields(exec).command}`.includes('/')) return user
  return { ...user, exec: absolute(fields(exec), folder, ['command']) }
}

function absolute(entry: Record<string, unknown>, folder: string, names: readonly string[]): Record<string, unknown> {
  const paths = names.flatMap((name) => {
    const path = entry[name]
    return typeof path === 'string' && path !== '' && !isAbsolute(path) ? [[name, resolve(folder, path)]] : []
  })
  return { ...entry, ...Object.fromEntries(paths) }
}

function fields(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('it is not a kubeconfig')
  return value as Record<string, unknown>
}
