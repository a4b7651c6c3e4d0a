// The history of an object, as a server answers at `…/NAME/history`. The command line and the dashboard read it.

import type { ObjectMeta } from '../object/object.ts'

/** An object as it was, of any kind. */
export interface KeptObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
}

export interface HistoryEntry {
  readonly generation?: number
  readonly resourceVersion: string
  readonly change: 'created' | 'updated' | 'deleting' | 'deleted'
  readonly time?: string
  readonly user?: string
  readonly manager?: string
  readonly current?: boolean
  readonly damage?: string
  readonly object?: KeptObject
}

export interface ObjectLife {
  readonly uid: string
  /** Oldest first. */
  readonly entries: readonly HistoryEntry[]
}

export interface ObjectHistory {
  readonly lives: readonly ObjectLife[]
}

/** A generation, or for kinds without generations a resourceVersion. */
export function labelOf({ generation, resourceVersion }: HistoryEntry): string {
  return generation === undefined ? resourceVersion : String(generation)
}
