// What the parts of one open store share: the client, the names of keys, the offset of its numbers, and what ended it, if
// anything did. It talks to nobody.

import type { Entry, Revision } from '../contract.ts'
import type { EtcdClient, KeyValue } from './client/contract.ts'
import type { Layout } from './layout.ts'
import type { EtcdStoreSettings } from './options.ts'
import { decodeRecord, type StoreId } from './record.ts'

export interface SessionStart {
  readonly client: EtcdClient
  readonly layout: Layout
  readonly settings: EtcdStoreSettings
  /** What is added to etcd's revision. */
  readonly offset: number
  /** The etcd revision of `meta/store`: its numbers are those of this session as long as that key stands still. */
  readonly since: number
}

export class Session {
  readonly client: EtcdClient
  readonly layout: Layout
  readonly settings: EtcdStoreSettings
  readonly offset: number
  readonly since: number
  readonly id: StoreId
  readonly #over = new AbortController()
  #isClosed = false
  #ended: Error | undefined

  constructor(start: SessionStart) {
    this.client = start.client
    this.layout = start.layout
    this.settings = start.settings
    this.offset = start.offset
    this.since = start.since
    const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2))
    this.id = { high, low }
  }

  /** Aborts when the store closes, or its session has ended. */
  get signal(): AbortSignal {
    return this.#over.signal
  }

  /** Why nothing can be read or written any more, while the store is open. */
  get ended(): Error | undefined {
    return this.#ended
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The numbers that this session gives out are no longer valid; it must be opened again. */
  end(reason: string): void {
    this.#ended ??= new Error(`${reason}; start the server again`)
    this.#over.abort()
  }

  /** Reads and writes are refused from now on. */
  refuse(): void {
    this.#isClosed = true
  }

  /** Ends what is still under way. */
  close(): void {
    this.#isClosed = true
    this.#over.abort()
  }

  assertOpen(): void {
    if (this.#isClosed) throw new Error('the store is closed')
    if (this.#ended !== undefined) throw this.#ended
  }

  /** The store's number of an etcd revision. */
  revisionOf(etcdRevision: number): Revision {
    return etcdRevision + this.offset
  }

  etcdRevision(revision: Revision): number {
    return revision - this.offset
  }

  /** The entry that a key and value of the object area are. */
  entryOf({ key, value, modRevision }: KeyValue): Entry {
    const record = decodeRecord(value)
    const entry = {
      key: this.layout.nameIn('object', key),
      revision: this.revisionOf(modRevision),
      value: record.value,
    }
    const damage = record.damage ?? (record.isDeletion ? 'it is the record of a deletion' : undefined)
    return damage === undefined ? entry : { ...entry, damage }
  }
}
