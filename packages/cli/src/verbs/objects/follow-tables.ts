// Follows the changes of a collection as tables, for `homeostat get -w`. It resumes a watch that ends or breaks, and lists
// anew when the server has forgotten the revision; then it yields the rows that differ. Unlike an informer it keeps no
// objects, since rows exist only on the server.

import { Backoff, messageOf, pause, systemClock } from '@homeostat/base'
import type { ApiObject, Client } from '@homeostat/client'
import { formatGroupVersion, isStatusError } from '@homeostat/meta'
import { isExpired } from '../../access/failure.ts'
import type { ListSelection } from '../../access/objects.ts'
import type { ServedKind } from '../../access/served-kinds.ts'
import { type ServerTable, tableIn } from '../../access/tables.ts'

export interface Followed {
  readonly kind: ServedKind
  readonly selection: ListSelection
  /** The form of the rows, as an Accept header. */
  readonly accept: string
  /** Lists the collection, to begin with and when the server has forgotten the revision. */
  list(): Promise<ServerTable>
  /** Called when the server fails, once until the next change. */
  onTrouble(message: string): void
}

/** A watch that ends sooner without an event is resumed with a pause. */
const SHORT_MS = 1000

/** Answers that no second try changes. */
const REFUSALS: readonly number[] = [400, 401, 403, 405]

/** Ends with the signal, and throws if the server refuses to be watched. */
export async function* followTables(
  client: Client,
  first: ServerTable,
  { kind, selection, accept, list, onTrouble }: Followed,
  signal: AbortSignal,
): AsyncGenerator<ServerTable, void> {
  const backoff = new Backoff<'watch'>({ min: 200, max: 10_000 })
  const seen = new Seen(first)
  const objects = client.resourceOf<ApiObject>(formatGroupVersion(kind), kind.kind)
  let isTold = false
  while (!signal.aborted) {
    const started = performance.now()
    let isIdle = true
    try {
      const options = { ...selection, accept, signal, allowBookmarks: true, resourceVersion: seen.newest }
      for await (const { type, object } of objects.watch(options)) {
        isIdle = isTold = false
        backoff.forget('watch')
        const table = seen.add(tableIn(object))
        if (type !== 'BOOKMARK') yield table
      }
      if (!isIdle || performance.now() - started > SHORT_MS) continue
    } catch (error) {
      if (signal.aborted) return
      if (isExpired(error)) {
        const changed = await seen.renew(list).catch(() => undefined)
        if (changed !== undefined) {
          if (changed.rows.length > 0) yield changed
          continue
        }
      }
      if (isStatusError(error) && REFUSALS.includes(error.code)) throw error
      if (!isTold) onTrouble(messageOf(error))
      isTold = true
    }
    await pause(systemClock, backoff.next('watch'), signal)
  }
}

/** The columns, and which state of each object was seen last. */
class Seen {
  #columns: ServerTable['columns']
  readonly #byUid = new Map<string | undefined, string | undefined>()
  newest: string

  constructor(first: ServerTable) {
    this.newest = first.revision
    this.#columns = first.columns
    for (const { object } of first.rows) this.#byUid.set(object.metadata.uid, object.metadata.resourceVersion)
  }

  /** Servers send the columns only with the first event of a watch. */
  add({ columns, rows, revision }: ServerTable): ServerTable {
    if (columns.length > 0) this.#columns = columns
    for (const { object } of rows) this.#byUid.set(object.metadata.uid, object.metadata.resourceVersion)
    this.newest = rows.at(-1)?.object.metadata.resourceVersion || revision || this.newest
    return { columns: this.#columns, rows, revision }
  }

  /** The rows that were not seen in this state. */
  async renew(list: () => Promise<ServerTable>): Promise<ServerTable> {
    const now = await list()
    const rows = now.rows.filter(
      ({ object }) => this.#byUid.get(object.metadata.uid) !== object.metadata.resourceVersion,
    )
    this.add(now)
    this.newest = now.revision
    return { ...now, rows }
  }
}
