// Converts events between events.k8s.io and the core group: the same objects, with different names for some fields.

import type { KubeObject } from '@homeostat/meta'
import type { Conversion } from '../../registry/resource-type.ts'

/** The stored name in the core group and the name in events.k8s.io. */
const NAMES: readonly (readonly [string, string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
]

const TO_EVENTS = new Map(NAMES)
const TO_CORE = new Map(NAMES.map(([core, events]) => [events, core]))

export const eventConversion: Conversion = {
  fromStored: (object) => withoutEmpty(renamed(object, 'events.k8s.io/v1', TO_EVENTS)),
  toStored(object) {
    const event = renamed(object, 'v1', TO_CORE)
    event.reportingComponent ??= ''
    event.reportingInstance ??= ''
    return event
  },
}

function renamed(object: KubeObject, apiVersion: string, names: ReadonlyMap<string, string>): KubeObject {
  const entries = Object.entries(object).map(([field, value]) => [names.get(field) ?? field, value])
  return { ...(Object.fromEntries(entries) as KubeObject), apiVersion }
}

/** Fields that the core group always writes and events.k8s.io omits when they are empty. */
function withoutEmpty(event: KubeObject): KubeObject {
  for (const field of ['reportingController', 'reportingInstance']) if (event[field] === '') delete event[field]
  return event
}
