// Events of events.k8s.io and of the core group are the same objects; some of their fields have other names.

import type { KubeObject } from '@homeostat/meta'
import type { Conversion } from '../../registry/resource-type.ts'

/** The name in the core group, which is stored, and the one in events.k8s.io. */
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

/** What the core group always writes, events.k8s.io leaves out when it is empty. */
function withoutEmpty(event: KubeObject): KubeObject {
  for (const field of ['reportingController', 'reportingInstance']) if (event[field] === '') delete event[field]
  return event
}
