// When executors were last heard of, and how much they hold: from their Leases and the Processes that run. Pure.

import type { ApiObject } from '@homeostat/client'
import type { Process } from '@homeostat/executor/protocol'

/** The Lease `executor-NAME`. */
export interface HeartbeatLease extends ApiObject {
  readonly spec?: { readonly renewTime?: string }
}

export interface ExecutorFacts {
  readonly lastSeen: ReadonlyMap<string, string | undefined>
  readonly running: ReadonlyMap<string, number>
}

/** By namespace and name of the executor. */
export function executorFacts(leases: readonly HeartbeatLease[], processes: readonly Process[]): ExecutorFacts {
  const lastSeen = new Map(
    leases.flatMap(({ metadata, spec }) => {
      const name = metadata.name?.startsWith('executor-') ? metadata.name.slice('executor-'.length) : undefined
      return name === undefined ? [] : [[executorKey(metadata.namespace, name), spec?.renewTime] as const]
    }),
  )
  const running = new Map<string, number>()
  for (const { metadata, status } of processes) {
    const key = executorKey(metadata.namespace, status.executor)
    running.set(key, (running.get(key) ?? 0) + 1)
  }
  return { lastSeen, running }
}

export function executorKey(namespace = '', name = ''): string {
  return `${namespace}/${name}`
}
