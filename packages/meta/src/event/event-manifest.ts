// Builds an events.k8s.io/v1 Event. The server refuses the whole event for one invalid field, so every field is
// truncated to its limit.

import type { ObjectMeta } from '../object/object.ts'
import { rfc3339Micro } from '../time/rfc3339.ts'
import { RUN_ANNOTATION, type RunRecord, runText } from './run-record.ts'

/** An object that an event is about. */
export interface EventSubject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
}

export interface EventInput {
  type?: 'Normal' | 'Warning'
  reason: string
  message: string
  /** The action of the event, e.g. `Reconcile`. */
  action?: string
  /** A second object that the event is about. */
  related?: EventSubject
  /** Set for the event of a run: why it ran, and what it wrote. */
  run?: RunRecord
}

export interface Reporter {
  /** E.g. `ex.io/site-operator`. */
  readonly controller: string
  /** Distinguishes this process from other replicas. */
  readonly instance: string
}

const MAX_NOTE = 1024
const MAX_WORD = 128
/** Leaves room for a dot and a suffix of sixteen characters in a name of 253. */
const MAX_NAME = 236

export interface EventFacts {
  readonly regarding: EventSubject
  readonly input: EventInput
}

export interface EventSeriesCount {
  readonly first: number
  readonly last: number
  readonly count: number
}

/** The reference to an object in an event; a recorder does not keep whole objects for the length of a series. */
export function namesOf({ apiVersion, kind, metadata }: EventSubject): EventSubject {
  return { apiVersion, kind, metadata: namesIn(metadata) }
}

/** The key of the series that an event belongs to. */
export function eventKey({ regarding, input }: EventFacts): { about: string; key: string } {
  const { apiVersion, kind, metadata } = regarding
  const about = metadata.uid ?? [apiVersion, kind, metadata.namespace, metadata.name].join('/')
  const related = input.related?.metadata.uid ?? input.related?.metadata.name
  return { about, key: JSON.stringify([about, typeOf(input), input.reason, actionOf(input), input.message, related]) }
}

/** The namespace of the event: that of its object, or `default` for a cluster-scoped object. */
export function eventNamespace(regarding: EventSubject): string {
  return regarding.metadata.namespace ?? 'default'
}

export function eventManifest(facts: EventFacts, times: EventSeriesCount, reporter: Reporter, suffix: string) {
  const { regarding, input } = facts
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: eventName(regarding, suffix), namespace: eventNamespace(regarding), ...runMetadata(input) },
    eventTime: rfc3339Micro(times.first),
    type: typeOf(input),
    reason: cutBytes(input.reason, MAX_WORD),
    action: cutBytes(actionOf(input), MAX_WORD),
    note: cutBytes(input.message, MAX_NOTE),
    regarding: referenceTo(regarding),
    ...(input.related && { related: referenceTo(input.related) }),
    reportingController: reporter.controller,
    reportingInstance: cutBytes(reporter.instance, MAX_WORD),
    ...(times.count > 1 && { series: seriesOf(times) }),
  }
}

export function seriesOf({ count, last }: EventSeriesCount): { count: number; lastObservedTime: string } {
  return { count, lastObservedTime: rfc3339Micro(last) }
}

/** The part of an event's metadata that changes while its series goes on: the newest run. */
export function runMetadata({ run }: EventInput): { annotations?: Record<string, string> } {
  return run === undefined ? {} : { annotations: { [RUN_ANNOTATION]: runText(run) } }
}

/** Truncates at a character boundary to at most `max` bytes of UTF-8, with an ellipsis. */
export function cutBytes(text: string, max: number): string {
  // A UTF-16 unit is at most three bytes.
  if (text.length * 3 <= max || Buffer.byteLength(text) <= max) return text
  let cut = ''
  let bytes = 3
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > max) break
    cut += character
  }
  return `${cut}\u2026`
}

function eventName(regarding: EventSubject, suffix: string): string {
  const base = (regarding.metadata.name ?? 'unnamed').slice(0, MAX_NAME).replace(/[^a-z0-9]+$/, '')
  return `${base}.${suffix}`
}

function typeOf(input: EventInput): 'Normal' | 'Warning' {
  return input.type === undefined || input.type === 'Normal' ? 'Normal' : 'Warning'
}

function actionOf(input: EventInput): string {
  return input.action ?? 'Reconcile'
}

function referenceTo({ apiVersion, kind, metadata }: EventSubject) {
  return { apiVersion, kind, ...namesIn(metadata) }
}

function namesIn({ name, namespace, uid, resourceVersion }: ObjectMeta): ObjectMeta {
  return {
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  }
}
