// Decides which event, if any, a watcher gets for a change, and encodes it. Pure.

import type { Status } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import type { CachedChange } from '../cache/change-ring.ts'
import type { ObjectFilter } from '../registry/object-filter.ts'
import type { HeldCopies } from '../registry/version-converter.ts'

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED'

/** Encodes objects as lines of a watch. Watches whose encoders have the same key receive the same bytes. */
export interface EventEncoder {
  readonly key: string
  /** `first` marks the first event of a stream, where a Table carries its columns. */
  encode(type: EventType, object: CachedObject, revision: number, first: boolean): Buffer
  /** The same event as existing buffers, if it consists of such: many of them can then be copied at once. */
  pieces?(type: EventType, object: CachedObject, revision: number): readonly Buffer[]
  bookmark(revision: number, initialEventsEnd: boolean): Buffer
  /** The event that ends a stream; a line of JSON when absent. */
  failure?(status: Status): Buffer
  /** Makes what `encode` and the filter need of these objects; it must be released after them. Absent: nothing is needed. */
  hold?(objects: readonly CachedObject[]): Promise<HeldCopies>
  /** Whether `first` makes a difference. */
  readonly firstDiffers: boolean
}

/**
 * A change that makes an object match the filter is ADDED. One that makes it stop matching is DELETED, with the state that
 * the watcher saw last and the revision of the change.
 */
export function eventFor(
  change: CachedChange,
  filter: ObjectFilter,
): { type: EventType; object: CachedObject } | undefined {
  const { object, previous } = change
  const before = previous !== undefined && filter.matches(previous)
  if (object && filter.matches(object)) return { type: before ? 'MODIFIED' : 'ADDED', object }
  return before ? { type: 'DELETED', object: previous } : undefined
}

/** The objects of the changes that `encodeChanges` may read. */
export function readObjects(changes: readonly CachedChange[], filter: ObjectFilter): CachedObject[] {
  return changes.flatMap(({ object, previous }) => {
    const before = previous !== undefined && (object === undefined || !filter.byKey) ? [previous] : []
    return [...before, ...(object === undefined ? [] : [object])].filter(({ damage }) => damage === undefined)
  })
}

/** Encodes the events of the changes, in order; `first`: nothing was sent on the stream before. */
export function encodeChanges(
  changes: readonly CachedChange[],
  filter: ObjectFilter,
  encoder: EventEncoder,
  first: boolean,
): { lines: Buffer; count: number } {
  const lines: Buffer[] = []
  for (const change of changes) {
    const event = eventFor(change, filter)
    if (event) lines.push(encoder.encode(event.type, event.object, change.revision, first && lines.length === 0))
  }
  const [only] = lines
  return { lines: lines.length === 1 && only ? only : Buffer.concat(lines), count: lines.length }
}

/** Sends the stored JSON unchanged: the common case, which parses nothing. */
export function jsonEncoder(apiVersion: string, kind: string): EventEncoder {
  return {
    key: 'json',
    firstDiffers: false,
    encode: (type, object, revision) => Buffer.concat(storedPieces(type, object, revision)),
    pieces: storedPieces,
    bookmark: (revision, initialEventsEnd) =>
      Buffer.from(
        `${JSON.stringify({ type: 'BOOKMARK', object: bookmarkObject(apiVersion, kind, revision, initialEventsEnd) })}\n`,
      ),
  }
}

function storedPieces(type: EventType, object: CachedObject, revision: number): Buffer[] {
  return [HEAD[type], object.revision === revision ? object.bytes : object.withRevision(revision), TAIL]
}

export function bookmarkObject(apiVersion: string, kind: string, revision: number, initialEventsEnd: boolean): object {
  const annotations = initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}
  return { kind, apiVersion, metadata: { resourceVersion: String(revision), creationTimestamp: null, ...annotations } }
}

const HEAD: Record<EventType, Buffer> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
}
const TAIL = Buffer.from('}\n')
