// The table of events in both APIs: cell functions receive the form of the core group.

import type { KubeObject } from '@homeostat/meta'
import { fieldsOf, textOf } from '../fields-of.ts'
import { type Cells, name, since, text } from './cells.ts'

export const EVENT_CELLS: Cells = [
  lastSeen,
  text('type'),
  text('reason'),
  target,
  text('involvedObject.fieldPath'),
  source,
  (event) => textOf(event.message).trim(),
  firstSeen,
  count,
  name,
]

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
