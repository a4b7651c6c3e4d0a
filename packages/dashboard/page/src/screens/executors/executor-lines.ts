// Executors as the screen shows them, from tables of Executors, their Leases, the Processes that run, and the accounts of those that
// joined. Pure.

import { executorFacts, executorKey, type HeartbeatLease } from '@homeostat/colony/views'
import type { Process } from '@homeostat/executor/protocol'
import type { Row } from '../../live/table-replica.ts'

/** What is asked of each table, in the order in which it is read here. */
export const EXECUTOR_PATHS = ['.spec.type', '.status.phase', '.spec.location', '.spec.functions', '.spec.capabilities']
export const LEASE_PATHS = ['.spec.renewTime']
export const PROCESS_PATHS = ['.status.executor']

export interface ExecutorLine {
  readonly key: string
  readonly namespace: string
  readonly name: string
  readonly type: string
  readonly phase: string
  readonly location: string
  readonly functions: readonly string[]
  readonly capabilities: unknown
  readonly lastSeen: string | undefined
  readonly holds: readonly string[]
}

export function executorLines(
  executors: readonly Row[],
  leases: readonly Row[],
  processes: readonly Row[],
): ExecutorLine[] {
  const { lastSeen } = executorFacts(leases.map(leaseOf), [] as Process[])
  const held = Map.groupBy(processes, ({ namespace, fields }) => executorKey(namespace, textOf(fields?.[0])))
  const lines = executors.map(({ namespace = '', name, uid, fields = [] }): ExecutorLine => {
    const [type, phase, location, functions, capabilities] = fields
    const key = executorKey(namespace, name)
    return {
      key: uid,
      namespace,
      name,
      type: textOf(type),
      phase: textOf(phase) || 'Unknown',
      location: textOf(location),
      functions: Array.isArray(functions) ? functions.map(textOf) : [],
      capabilities,
      lastSeen: lastSeen.get(key),
      holds: (held.get(key) ?? []).map((row) => row.name),
    }
  })
  return lines.sort((a, b) => rank(a) - rank(b) || compare(a.type, b.type) || compare(a.name, b.name))
}

export interface Candidate {
  readonly key: string
  readonly namespace: string
  readonly name: string
  readonly type: string
  readonly since: string | undefined
}

const EXECUTOR_LABEL = 'colonies.io/executor'
const TYPE_ANNOTATION = 'colonies.io/executor-type'

/** Accounts of executors without the binding of their Role: they joined, and may do nothing until somebody approves them. */
export function candidates(accounts: readonly Row[], bindings: readonly Row[]): Candidate[] {
  const bound = new Set(bindings.map(({ namespace, name }) => `${namespace}/${name}`))
  return accounts
    .filter(({ namespace, name }) => !bound.has(`${namespace}/${name}`))
    .map(({ uid, namespace = '', metadata }) => ({
      key: uid,
      namespace,
      name: metadata.labels?.[EXECUTOR_LABEL] ?? '',
      type: metadata.annotations?.[TYPE_ANNOTATION] ?? '',
      since: metadata.creationTimestamp,
    }))
}

function leaseOf({ metadata, fields = [] }: Row): HeartbeatLease {
  return { metadata, spec: { renewTime: textOf(fields[0]) } } as unknown as HeartbeatLease
}

/** What is lost stands last, what waits for somebody first. */
function rank({ phase }: ExecutorLine): number {
  return phase === 'Pending' ? 0 : phase === 'Lost' ? 2 : 1
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
