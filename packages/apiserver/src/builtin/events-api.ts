// The rules of events.k8s.io on top of those of the core group: new fields are required, old ones are forbidden, and
// only the series may change.

import { deepEqual, isObject, type KubeObject } from '@homeostat/meta'
import { type Cause, invalidValue, required } from '@homeostat/meta/server'
import { fieldsOf, textOf } from './fields-of.ts'
import type { KindRules } from './schema-strategy.ts'

export const eventsApiRules: Partial<KindRules> = {
  dependents: 'ignored',
  validate: (event) => [...seriesErrors(event), ...newFieldErrors(event), ...oldFieldErrors(event)],
  validateUpdate: (event, old) => [
    ...(deepEqual(event.series, old.series) ? [] : seriesErrors(event)),
    ...FROZEN.filter(([field]) => !deepEqual(event[field], old[field])).map(([field, path]) =>
      invalidValue(path, event[field] ?? null, 'field is immutable'),
    ),
  ],
}

/** The field and its name in Kubernetes' messages. */
const FROZEN: readonly (readonly [string, string])[] = [
  ['regarding', 'involvedObject'],
  ['reason', 'reason'],
  ['note', 'message'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingController', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
]

function seriesErrors({ series }: KubeObject): Cause[] {
  if (!isObject(series)) return []
  const causes = typeof series.count === 'number' && series.count >= 2 ? [] : [invalidValue('series.count', '', FEW)]
  return series.lastObservedTime ? causes : [...causes, required('series.lastObservedTime', '')]
}

const FEW = 'should be at least 2'

function newFieldErrors(event: KubeObject): Cause[] {
  const causes = event.eventTime ? [] : [required('eventTime', '')]
  const type = textOf(event.type)
  if (type === 'Normal' || type === 'Warning') return causes
  return [...causes, invalidValue('type', '', `has invalid value: ${type}`)]
}

function oldFieldErrors(event: KubeObject): Cause[] {
  const source = fieldsOf(event.deprecatedSource)
  const set: [string, boolean][] = [
    ['firstTimestamp', Boolean(event.deprecatedFirstTimestamp)],
    ['lastTimestamp', Boolean(event.deprecatedLastTimestamp)],
    ['count', Boolean(event.deprecatedCount)],
    ['source', Boolean(source.component) || Boolean(source.host)],
  ]
  return set.filter(([, given]) => given).map(([field]) => invalidValue(field, '', 'needs to be unset'))
}
