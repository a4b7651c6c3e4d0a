// What the operator's manager owns of each cached object, extracted from the managed fields before these are dropped.
// Held in a WeakMap, so an entry lives as long as its object.

import type { ApiObject } from '@homeostat/client'
import { type AbsentField, extractFields, type FieldSet } from '@homeostat/meta'
import { type ManagedEntry, predecessorsOf } from './finalizer-name.ts'
import type { Absent } from './kept-form.ts'

export type OwnedPart = Partial<ApiObject> & Readonly<Record<string, unknown>>

interface Entry extends ManagedEntry {
  readonly time?: string
  readonly fieldsV1?: FieldSet
}

interface Parts {
  readonly main: OwnedPart | undefined
  readonly status: OwnedPart | undefined
  readonly absent: Absent
  /** The manager with the latest timestamp. */
  readonly writer: string | undefined
  readonly predecessors: readonly string[]
}

const NONE: Absent = []
const NOBODY: readonly string[] = []

export class OwnedParts {
  readonly #manager: string
  readonly #parts = new WeakMap<ApiObject, Parts>()

  constructor(manager: string) {
    this.#manager = manager
  }

  /** Returns the object without its managed fields. */
  keep(object: ApiObject): ApiObject {
    const { managedFields, ...metadata } = object.metadata
    if (managedFields === undefined) return object
    const entries = managedFields as readonly Entry[]
    const kept = { ...object, metadata }
    const absent: AbsentField[] = []
    this.#parts.set(kept, {
      main: this.#extract(kept, entries, '', absent),
      absent: absent.length === 0 ? NONE : absent,
      status: this.#extract(kept, entries, 'status'),
      writer: lastWriter(entries),
      predecessors: metadata.finalizers === undefined ? NOBODY : predecessorsOf(entries),
    })
    return kept
  }

  /** The part that our manager applied; undefined when it owns nothing. */
  main(object: ApiObject): OwnedPart | undefined {
    return this.#parts.get(object)?.main
  }

  /** Fields that our manager applied and the object lacks, because they were empty. */
  absent(object: ApiObject): Absent {
    return this.#parts.get(object)?.absent ?? NONE
  }

  /** What our manager owns through the status subresource, as an object with a `status`. */
  status(object: ApiObject): OwnedPart | undefined {
    return this.#parts.get(object)?.status
  }

  writer(object: ApiObject): string | undefined {
    return this.#parts.get(object)?.writer
  }

  /** Managers that added a finalizer to the object and applied its status. */
  predecessors(object: ApiObject): readonly string[] {
    return this.#parts.get(object)?.predecessors ?? NOBODY
  }

  #extract(
    object: ApiObject,
    entries: readonly Entry[],
    subresource: string,
    absent?: AbsentField[],
  ): OwnedPart | undefined {
    const own = entries.find(
      (entry) =>
        entry.manager === this.#manager && entry.operation === 'Apply' && (entry.subresource ?? '') === subresource,
    )
    return own?.fieldsV1 && extractFields(object, own.fieldsV1, absent)
  }
}

function lastWriter(entries: readonly Entry[]): string | undefined {
  let last: Entry | undefined
  for (const entry of entries) if (last === undefined || (entry.time ?? '') >= (last.time ?? '')) last = entry
  return last?.manager
}
