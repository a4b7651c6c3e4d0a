// Tables of the core group.

import type { KubeObject } from '@homeostat/meta'
import { fieldsOf, textOf } from '../fields-of.ts'
import { age, type Cells, name, since, textAt } from './cells.ts'

const EVENT: Cells = [
  lastSeen,
  textAt('type'),
  textAt('reason'),
  target,
  textAt('involvedObject', 'fieldPath'),
  source,
  (event) => textOf(event.message).trim(),
  firstSeen,
  count,
  name,
]

export const CORE_CELLS: Readonly<Record<string, Cells>> = {
  'core/configmaps': [
    name,
    (object) => Object.keys(fieldsOf(object.data)).length + Object.keys(fieldsOf(object.binaryData)).length,
    age,
  ],
  'core/events': EVENT,
  'core/namespaces': [name, textAt('status', 'phase'), age],
  'core/secrets': [name, textAt('type'), (object) => Object.keys(fieldsOf(object.data)).length, age],
  'coordination.k8s.io/leases': [name, textAt('spec', 'holderIdentity'), age],
}

function firstSeen(event: KubeObject, now: number): string {
  return since(event.firstTimestamp ?? event.eventTime, now)
}

function lastSeen(event: KubeObject, now: number): string {
  if (event.series !== undefined) return since(fieldsOf(event.series).lastObservedTime, now)
  return event.lastTimestamp ? since(event.lastTimestamp, now) : firstSeen(event, now)
}

function count(event: KubeObject): unknown {
  if (event.series !== undefined) return fieldsOf(event.series).count ?? 0
  return event.count || 1
}

function target(event: KubeObject): string {
  const { kind, name } = fieldsOf(event.involvedObject)
  const lower = textOf(kind).toLowerCase()
  return name ? `${lower}/${textOf(name)}` : lower
}

function source(event: KubeObject): string {
  const { component, host } = fieldsOf(event.source)
  const who = textOf(component) || textOf(event.reportingComponent)
  const where = textOf(host) || textOf(event.reportingInstance)
  return where === '' ? who : `${who}, ${where}`
}
