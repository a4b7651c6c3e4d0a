// Event of the core group: something that happened to an object. Old-style events have timestamps and a count;
// those with an eventTime follow the newer, stricter rules.

import type { Cause, KubeObject } from '@homeostat/meta'
import { invalidValue, pathSegmentName, qualifiedName, required } from '@homeostat/meta'
import type { ResourceType } from '../registry/resource-type.ts'
import { nameColumn } from '../table/metadata-columns.ts'
import type { BuiltinKind } from './builtin-kind.ts'
import { age, column } from './column.ts'
import { embedded, int32, microTime, nullableMicroTime, nullableTime, requiredText, struct, text } from './field.ts'
import { fieldsOf, textOf } from './fields-of.ts'
import { objectReference } from './service-account.ts'

const MAX_MESSAGE = 1024
const MAX_WORD = 128

export const eventKind: BuiltinKind = {
  kind: 'Event',
  resource: 'events',
  namespaced: true,
  shortNames: ['ev'],
  columns: [
    column('Last Seen', 'How long ago it last happened.', lastSeen),
    column('Type', 'Normal or Warning.', (event) => textOf(event.type)),
    column('Reason', 'Why it happened, in one word for machines.', (event) => textOf(event.reason)),
    column('Object', 'What it happened to.', target),
    column('Subobject', 'The part of the object it is about.', (e) => textOf(fieldsOf(e.involvedObject).fieldPath), 1),
    column('Source', 'Who reports it.', source, 1),
    column('Message', 'What happened, for people.', (event) => textOf(event.message).trim()),
    column('First Seen', 'How long ago it first happened.', firstSeen, 1),
    column('Count', 'How many times it happened.', count, 1),
    { ...nameColumn, priority: 1 },
  ],
  selectableFields: selectableFields(),
  schema: struct(
    {
      action: text,
      count: int32,
      eventTime: nullableMicroTime,
      firstTimestamp: nullableTime,
      involvedObject: embedded(objectReference),
      lastTimestamp: nullableTime,
      message: text,
      reason: text,
      related: objectReference,
      reportingComponent: requiredText,
      reportingInstance: requiredText,
      series: struct({ count: int32, lastObservedTime: microTime }),
      source: embedded(struct({ component: text, host: text })),
      type: text,
    },
    ['involvedObject'],
  ),
  rules: {
    nameErrors: pathSegmentName,
    unconditionalUpdate: true,
    createOnUpdate: true,
    dependents: 'ignored',
    applyDefaults(event) {
      event.eventTime ??= null
      event.firstTimestamp ??= null
      event.lastTimestamp ??= null
    },
    validate,
  },
}

function selectableFields(): ResourceType['selectableFields'] {
  const fields: Record<string, (event: KubeObject) => string> = {}
  for (const field of ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']) {
    fields[`involvedObject.${field}`] = (event) => textOf(fieldsOf(event.involvedObject)[field])
  }
  for (const field of ['reason', 'reportingComponent', 'type']) fields[field] = (event) => textOf(event[field])
  fields.source = (event) => textOf(fieldsOf(event.source).component) || textOf(event.reportingComponent)
  return fields
}

function validate(event: KubeObject): Cause[] {
  const namespace = event.metadata.namespace ?? ''
  const involved = textOf(fieldsOf(event.involvedObject).namespace)
  const mismatch = invalidValue('involvedObject.namespace', involved, 'does not match event.namespace')
  if (event.eventTime === undefined || event.eventTime === null) {
    // Events about objects without a namespace live in `default`.
    return namespace === (involved || 'default') ? [] : [mismatch]
  }
  const causes = involved === '' && namespace !== 'default' && namespace !== 'kube-system' ? [mismatch] : []
  const component = textOf(event.reportingComponent)
  if (component === '') causes.push(required('reportingComponent', ''))
  for (const message of qualifiedName(component)) causes.push(invalidValue('reportingComponent', component, message))
  for (const field of ['reportingInstance', 'action', 'reason']) {
    const value = textOf(event[field])
    if (value === '') causes.push(required(field, ''))
    if (value.length > MAX_WORD) causes.push(invalidValue(field, value, `can have at most ${MAX_WORD} characters`))
  }
  if (textOf(event.message).length > MAX_MESSAGE) {
    causes.push(invalidValue('message', '', `can have at most ${MAX_MESSAGE} characters`))
  }
  return causes
}

function firstSeen(event: KubeObject, now: number): string {
  return age(event.firstTimestamp ?? event.eventTime, now)
}

function lastSeen(event: KubeObject, now: number): string {
  if (event.series !== undefined) return age(fieldsOf(event.series).lastObservedTime, now)
  return event.lastTimestamp ? age(event.lastTimestamp, now) : firstSeen(event, now)
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
