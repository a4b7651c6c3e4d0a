// What is known of the operators of a cluster without asking them: what they say in Events, and the Leases by which they lead. Pure.

import type { Row } from '../../live/table-replica.ts'

export const EVENT_PATHS = [
  '.reportingController',
  '.source.component',
  '.type',
  '.reason',
  '.regarding.kind',
  '.regarding.name',
  '.series.count',
  '.deprecatedCount',
  '.eventTime',
  '.series.lastObservedTime',
  '.note',
  '.deprecatedSource.component',
  '.deprecatedLastTimestamp',
]

export interface ControllerLine {
  readonly name: string
  readonly reconciled: number
  readonly warnings: number
  readonly others: number
  readonly lastSaid: number | undefined
  readonly kinds: readonly string[]
  /** The newest warning. */
  readonly trouble: Trouble | undefined
}

export interface Trouble {
  readonly reason: string
  readonly kind: string
  readonly name: string
  readonly namespace: string | undefined
  readonly note: string
  readonly at: number
  readonly count: number
}

interface Said extends Trouble {
  readonly controller: string
  readonly isWarning: boolean
}

/** Events are kept for an hour, so that these are the counts of an hour. */
export function controllerLines(events: readonly Row[]): ControllerLine[] {
  const said = events.map(readEvent).filter(({ controller }) => controller !== '')
  const lines = [...Map.groupBy(said, ({ controller }) => controller)].map(([name, ofIt]): ControllerLine => {
    const warnings = ofIt.filter(({ isWarning }) => isWarning)
    const reconciled = ofIt.filter(({ reason }) => reason === 'Reconciled')
    const others = ofIt.filter(({ isWarning, reason }) => !isWarning && reason !== 'Reconciled')
    return {
      name,
      reconciled: total(reconciled),
      warnings: total(warnings),
      others: total(others),
      lastSaid: newest(ofIt)?.at,
      kinds: [...new Set(ofIt.map(({ kind }) => kind))].sort(),
      trouble: newest(warnings),
    }
  })
  return lines.sort((a, b) => b.warnings - a.warnings || (a.name < b.name ? -1 : 1))
}

export interface FailingObject extends Trouble {
  readonly controller: string
}

/** The objects with the most warnings. */
export function failingObjects(events: readonly Row[], limit: number): FailingObject[] {
  const warnings = events.map(readEvent).filter(({ isWarning }) => isWarning)
  const byObject = Map.groupBy(warnings, ({ kind, namespace, name }) => `${kind} ${namespace}/${name}`)
  const found = [...byObject.values()].flatMap((ofIt) => {
    const last = newest(ofIt)
    return last === undefined ? [] : [{ ...last, count: total(ofIt) }]
  })
  return found.sort((a, b) => b.count - a.count || b.at - a.at).slice(0, limit)
}

export interface LeaderLine {
  readonly namespace: string
  readonly lease: string
  readonly holder: string
  readonly renewed: string
  readonly changes: number
  readonly isHeld: boolean
}

export const LEADER_PATHS = [
  '.spec.holderIdentity',
  '.spec.renewTime',
  '.spec.leaseDurationSeconds',
  '.spec.leaseTransitions',
]

/** The Leases of leaders: not those of nodes, executors and servers, which are signs of life. */
export function leaderLines(leases: readonly Row[], now: number): LeaderLine[] {
  return leases
    .filter(({ namespace, name, metadata }) => isLeader(namespace, name, metadata.labels))
    .map(({ namespace = '', name, fields = [] }) => {
      const [holder, renewed, seconds, changes] = fields
      const age = now - Date.parse(String(renewed ?? ''))
      const isHeld = Boolean(holder) && age <= Number(seconds ?? 0) * 1000 + 5000
      return {
        namespace,
        lease: name,
        holder: String(holder ?? ''),
        renewed: String(renewed ?? ''),
        changes: Number(changes ?? 0) || 0,
        isHeld,
      }
    })
}

function isLeader(namespace: string | undefined, name: string, labels: Readonly<Record<string, string>> = {}): boolean {
  if (namespace === 'kube-node-lease' || name.startsWith('executor-')) return false
  return !Object.keys(labels).some(
    (label) => label.startsWith('homeostat.io/') || label === 'apiserver.kubernetes.io/identity',
  )
}

function readEvent({ namespace, fields = [] }: Row): Said {
  const text = (place: number) => (typeof fields[place] === 'string' ? (fields[place] as string) : '')
  const count = Number(fields[6] ?? fields[7] ?? 1)
  const at = Date.parse(text(9) || text(12) || text(8))
  return {
    controller: text(0) || text(1) || text(11),
    isWarning: text(2) === 'Warning',
    reason: text(3),
    kind: text(4),
    name: text(5),
    namespace,
    note: text(10),
    at: Number.isNaN(at) ? 0 : at,
    count: count > 0 && Number.isFinite(count) ? count : 1,
  }
}

function total(said: readonly Said[]): number {
  return said.reduce((sum, { count }) => sum + count, 0)
}

function newest(said: readonly Said[]): Said | undefined {
  return said.reduce<Said | undefined>((last, one) => (last === undefined || one.at > last.at ? one : last), undefined)
}
