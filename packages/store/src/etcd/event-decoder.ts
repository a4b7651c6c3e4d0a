// Makes changes of etcd's events. A deletion carries no note, so the record of it comes in the same revision, before it.
// The live watch and replays have one each.

import type { Change, Entry, Note, Value } from '../contract.ts'
import type { KeyValue, WatchEvent } from './client/contract.ts'
import { EtcdError } from './client/etcd-error.ts'
import { decodeRecord } from './record.ts'
import type { Session } from './session.ts'

export interface EventListeners {
  /** What this store wrote itself is given as the writer gave it: it needs no decoding, and its reader knows it. */
  readonly own?: (record: Buffer) => { readonly value: Value | undefined; readonly note: Note } | undefined
  /** The record of a key's deletion was written (at this etcd revision), or removed (0). */
  readonly onDeletion?: (key: string, etcdRevision: number) => void
  readonly onMeta?: (kv: KeyValue) => void
}

const NOBODY: Note = { time: 0, user: '', manager: '' }

export class EventDecoder {
  readonly #session: Session
  readonly #listeners: EventListeners
  readonly #previous: boolean
  /** The deletion whose event follows. */
  #deletion: KeyValue | undefined

  /** `previous`: events carry what the key held before, and one that lacks it shows that it has been compacted. */
  constructor(session: Session, listeners: EventListeners, previous: boolean) {
    this.#session = session
    this.#listeners = listeners
    this.#previous = previous
  }

  decode(events: readonly WatchEvent[]): Change[] {
    const { layout } = this.#session
    const changes: Change[] = []
    for (const event of events) {
      switch (layout.areaOf(event.kv.key)) {
        case 'object':
          changes.push(this.#change(event))
          break
        case 'deleted':
          this.#deletion = event.type === 'put' ? event.kv : undefined
          this.#listeners.onDeletion?.(
            layout.nameIn('deleted', event.kv.key),
            event.type === 'put' ? event.kv.modRevision : 0,
          )
          break
        case 'meta':
          this.#listeners.onMeta?.(event.kv)
          break
        default:
      }
    }
    return changes
  }

  #change(event: WatchEvent): Change {
    const { kv } = event
    const key = this.#session.layout.nameIn('object', kv.key)
    const revision = this.#session.revisionOf(kv.modRevision)
    const previous = this.#previousOf(event)
    if (event.type === 'delete')
      return { revision, key, op: 'delete', value: undefined, previous, note: this.#deletionNote(key, kv.modRevision) }
    const own = this.#listeners.own?.(kv.value)
    if (own !== undefined) return { revision, key, op: 'put', value: own.value, previous, note: own.note }
    const { value, note, damage } = decodeRecord(kv.value)
    const change: Change = { revision, key, op: 'put', value, previous, note }
    return damage === undefined ? change : { ...change, damage }
  }

  #deletionNote(key: string, modRevision: number): Note {
    const record = this.#deletion
    this.#deletion = undefined
    if (record?.modRevision !== modRevision || this.#session.layout.nameIn('deleted', record.key) !== key) return NOBODY
    return decodeRecord(record.value).note
  }

  #previousOf({ type, kv, previous }: WatchEvent): Entry | undefined {
    if (!this.#previous) return undefined
    if (previous !== undefined) return this.#session.entryOf(previous)
    if (type === 'put' && kv.version <= 1) return undefined
    throw new EtcdError('compacted', `what ${kv.key} held before revision ${kv.modRevision} has been compacted`)
  }
}
