// One run of a controller as its Event tells it: the triggers that queued its key, and what it wrote. Operators, the colony and the
// server's own controllers write it alike, and `homeostat why` reads it. The text is bounded and never trusted.

import { isObject } from '../json/is-object.ts'
import { writeJson } from '../json/write-json.ts'

/** On an Event: the run that it is about, as JSON. */
export const RUN_ANNOTATION = 'homeostat.dev/run'

export interface RunRef {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string | undefined
  readonly name: string
}

/** Why a key was queued. */
export interface RunTrigger {
  /** E.g. `changed`, `ConfigMap shop/settings changed`, `retry`. */
  readonly text: string
  /** RFC 3339. */
  readonly time?: string | undefined
  /** The object whose change it was. */
  readonly object?: RunRef | undefined
  readonly resourceVersion?: string | undefined
  readonly generation?: number | undefined
  /** The field manager that made the change. */
  readonly manager?: string | undefined
}

export type WriteWord = 'created' | 'updated' | 'status' | 'scaled' | 'deleted'

export interface RunWrite {
  readonly did: WriteWord
  readonly object: RunRef
  /** As the server answered; a deletion has none. */
  readonly resourceVersion?: string | undefined
}

export interface RunRecord {
  /** Oldest first. */
  readonly triggers: readonly RunTrigger[]
  readonly writes: readonly RunWrite[]
  /** How many more writes there were. */
  readonly moreWrites?: number | undefined
}

const MAX_TRIGGERS = 8
const MAX_WRITES = 20
const MAX_TEXT = 200
/** Names of objects have at most 253 characters. */
const MAX_NAME = 253
/** Parsed texts are refused beyond this; what `runText` writes is far below. */
const MAX_PARSED = 64 * 1024

/** The value of the annotation. */
export function runText({ triggers, writes, moreWrites = 0 }: RunRecord): string {
  const more = moreWrites + Math.max(0, writes.length - MAX_WRITES)
  return writeJson({
    triggers: triggers.slice(-MAX_TRIGGERS).map((trigger) => ({ ...trigger, text: cut(trigger.text, MAX_TEXT) })),
    writes: writes.slice(0, MAX_WRITES),
    ...(more > 0 && { moreWrites: more }),
  })
}

/** Undefined for a text that is no run. Whoever may write Events may write anything there, so every field is checked. */
export function parseRun(text: string | undefined): RunRecord | undefined {
  if (text === undefined || text.length > MAX_PARSED) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(value)) return undefined
  const { triggers, writes, moreWrites } = value as Record<string, unknown>
  if (!Array.isArray(triggers) || !Array.isArray(writes)) return undefined
  return {
    triggers: triggers.slice(0, MAX_TRIGGERS).flatMap((one) => triggerIn(one) ?? []),
    writes: writes.slice(0, MAX_WRITES).flatMap((one) => writeIn(one) ?? []),
    ...(isCount(moreWrites) && { moreWrites }),
  }
}

/** The note of the Event: the same for equal runs, so that they are counted in one series. It names no revisions. */
export function runNote({ triggers, writes, moreWrites = 0 }: RunRecord): string {
  const why = [...new Set(triggers.map(({ text, manager }) => (manager ? `${text} by ${manager}` : text)))]
  const first = writes.slice(0, MAX_NOTED).map(({ did, object }) => `${WRITE_WORDS[did]} ${object.kind} ${object.name}`)
  const more = writes.length + moreWrites - first.length
  const done = [...new Set(first), ...(more > 0 ? [`${more} more`] : [])].join(', ')
  return `${why.slice(-MAX_NOTED).join(', ') || 'it ran'}: ${done}`
}

const MAX_NOTED = 4
export const WRITE_WORDS: Readonly<Record<WriteWord, string>> = {
  created: 'created',
  updated: 'updated',
  status: 'updated the status of',
  scaled: 'scaled',
  deleted: 'deleted',
}

function triggerIn(value: unknown): RunTrigger | undefined {
  if (!isObject(value)) return undefined
  const { text, time, object, resourceVersion, generation, manager } = value as Record<string, unknown>
  if (typeof text !== 'string') return undefined
  const ref = refIn(object)
  return {
    text: cut(text, MAX_TEXT),
    ...(isShort(time) && { time }),
    ...(ref && { object: ref }),
    ...(isShort(resourceVersion) && { resourceVersion }),
    ...(isCount(generation) && { generation }),
    ...(isShort(manager) && { manager }),
  }
}

function writeIn(value: unknown): RunWrite | undefined {
  if (!isObject(value)) return undefined
  const { did, object, resourceVersion } = value as Record<string, unknown>
  const ref = refIn(object)
  if (ref === undefined || typeof did !== 'string' || !Object.hasOwn(WRITE_WORDS, did)) return undefined
  return { did: did as WriteWord, object: ref, ...(isShort(resourceVersion) && { resourceVersion }) }
}

function refIn(value: unknown): RunRef | undefined {
  if (!isObject(value)) return undefined
  const { apiVersion, kind, namespace, name } = value as Record<string, unknown>
  if (!isShort(apiVersion) || !isShort(kind) || !isShort(name)) return undefined
  return { apiVersion, kind, ...(isShort(namespace) && { namespace }), name }
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_NAME
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}\u2026`
}
