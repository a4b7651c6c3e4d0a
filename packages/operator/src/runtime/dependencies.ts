// Tracks which key read which objects and lists, so that a change finds the keys to reconcile again. The cost of a
// change depends on its readers, not on the number of keys.

import type { ApiObject } from '@homeostat/client'
import { nameOf, objectKey } from './object-key.ts'

/** A list read: all objects of a kind, optionally of one namespace or with these labels. */
export interface ListRead {
  readonly namespace?: string | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
}

interface Read {
  /** The index entry under which a changed object finds this read. */
  readonly bucket: string
  readonly labels: Readonly<Record<string, string>> | undefined
}

/** A reconcile that reads more objects of one kind than this depends on the whole kind. */
const MAX_OBJECTS = 1000
/** Limit on reads of one key since its last success. */
const MAX_READS = 5000

interface Reader {
  /** Keyed so that equal reads share an entry; `run` is the number of the reconcile that read it last. */
  readonly reads: Map<string, { readonly read: Read; run: number }>
  readonly objects: Map<string, number>
  run: number
}

export class Dependencies {
  readonly #readers = new Map<string, Reader>()
  readonly #buckets = new Map<string, Map<string, Map<string, Read>>>()

  /** Number of keys with reads, and of index entries: for tests and metrics. */
  get size(): { readonly keys: number; readonly buckets: number } {
    return { keys: this.#readers.size, buckets: this.#buckets.size }
  }

  /** Starts a new reconcile of the key: later reads belong to it. */
  begin(key: string): void {
    const reader = this.#readers.get(key)
    if (reader === undefined) return
    // Bounds a key that never succeeds and reads something else in each attempt.
    if (reader.reads.size > MAX_READS) this.settle(key)
    reader.run++
    reader.objects.clear()
  }

  /**
   * Drops the reads that the last reconcile did not repeat. Do not call it after a failure: the reconcile may have
   * ended before it read them.
   */
  settle(key: string): void {
    const reader = this.#readers.get(key)
    if (reader === undefined) return
    for (const [id, { read, run }] of reader.reads) {
      if (run === reader.run) continue
      reader.reads.delete(id)
      this.#leave(key, id, read)
    }
    if (reader.reads.size === 0) this.#readers.delete(key)
  }

  forget(key: string): void {
    const reader = this.#readers.get(key)
    if (reader === undefined) return
    for (const [id, { read }] of reader.reads) this.#leave(key, id, read)
    this.#readers.delete(key)
  }

  readObject(
    key: string,
    kind: string,
    name: { readonly name: string; readonly namespace?: string | undefined },
  ): void {
    const bucket = objectKey(kind, name)
    const reader = this.#reader(key)
    const known = reader.reads.get(bucket)
    if (known?.run === reader.run) return
    const objects = (reader.objects.get(kind) ?? 0) + 1
    reader.objects.set(kind, objects)
    if (objects > MAX_OBJECTS) this.readList(key, kind, {})
    else this.#note(key, reader, bucket, { bucket, labels: undefined })
  }

  readList(key: string, kind: string, { namespace = '', labels = {} }: ListRead): void {
    const pairs = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))
    const [first] = pairs
    const bucket = listBucket(kind, namespace, first && labelText(first))
    const id = `${bucket}${pairs.slice(1).map((pair) => `,${labelText(pair)}`)}`
    this.#note(key, this.#reader(key), id, { bucket, labels: pairs.length > 1 ? labels : undefined })
  }

  /** Records a read of a kind that the server does not serve. */
  readMissingKind(key: string, kind: string): void {
    const bucket = missingBucket(kind)
    this.#note(key, this.#reader(key), bucket, { bucket, labels: undefined })
  }

  /** The keys that read a kind while the server did not serve it. */
  readersOfMissingKind(kind: string): ReadonlySet<string> {
    const readers = new Set<string>()
    this.#collect(readers, missingBucket(kind), {})
    return readers
  }

  /** The keys that read the object, or a list that it is or was in, each once. Either state may be missing. */
  readersOf(kind: string, states: readonly (ApiObject | undefined)[]): ReadonlySet<string> {
    const readers = new Set<string>()
    for (const object of states) {
      if (object === undefined) continue
      const { namespace = '', labels = {} } = object.metadata
      this.#collect(readers, objectKey(kind, nameOf(object)), labels)
      const pairs = Object.entries(labels).map(labelText)
      for (const space of namespace === '' ? [''] : ['', namespace]) {
        this.#collect(readers, listBucket(kind, space, undefined), labels)
        for (const pair of pairs) this.#collect(readers, listBucket(kind, space, pair), labels)
      }
    }
    return readers
  }

  #reader(key: string): Reader {
    let reader = this.#readers.get(key)
    if (reader === undefined) {
      reader = { reads: new Map(), objects: new Map(), run: 0 }
      this.#readers.set(key, reader)
    }
    return reader
  }

  #note(key: string, reader: Reader, id: string, read: Read): void {
    const known = reader.reads.get(id)
    if (known !== undefined) {
      known.run = reader.run
      return
    }
    reader.reads.set(id, { read, run: reader.run })
    let readers = this.#buckets.get(read.bucket)
    if (readers === undefined) {
      readers = new Map()
      this.#buckets.set(read.bucket, readers)
    }
    const reads = readers.get(key)
    if (reads === undefined) readers.set(key, new Map([[id, read]]))
    else reads.set(id, read)
  }

  #leave(key: string, id: string, { bucket }: Read): void {
    const readers = this.#buckets.get(bucket)
    const reads = readers?.get(key)
    reads?.delete(id)
    if (reads?.size === 0) readers?.delete(key)
    if (readers?.size === 0) this.#buckets.delete(bucket)
  }

  #collect(into: Set<string>, bucket: string, labels: Readonly<Record<string, string>>): void {
    const readers = this.#buckets.get(bucket)
    if (readers === undefined) return
    for (const [key, reads] of readers) {
      if (into.has(key)) continue
      for (const { labels: wanted } of reads.values()) {
        if (wanted !== undefined && !hasLabels(labels, wanted)) continue
        into.add(key)
        break
      }
    }
  }
}

export function hasLabels(
  labels: Readonly<Record<string, string>> | undefined,
  wanted: Readonly<Record<string, string>>,
): boolean {
  for (const name of Object.keys(wanted)) if (labels?.[name] !== wanted[name]) return false
  return true
}

/** Labels contain neither a bar nor a newline, so lists and objects never share a bucket. */
function listBucket(kind: string, namespace: string, label: string | undefined): string {
  return `${kind}|${namespace}|\n${label ?? ''}`
}

function missingBucket(kind: string): string {
  return `${kind}|?`
}

function labelText([name, value]: readonly [string, string]): string {
  return `${name}=${value}`
}
