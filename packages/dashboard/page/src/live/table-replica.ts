// A copy of the server's Table of one kind, kept current by a watch. It holds the cells and the metadata of each row, never whole
// objects. Above a limit it stops following: the screen then shows the server's pages.

import { isStatusError } from '@homeostat/meta'
import { client } from '../connection/client.ts'
import { apiVersionOf, collectionPath, type Kind } from '../kinds/kind.ts'
import { pauseBefore } from './backoff.ts'
import { Shown } from './shown.ts'

export interface Column {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: string
  /** Above 0 it is shown when asked for. */
  readonly priority: number
}

export interface Row {
  readonly uid: string
  readonly namespace: string | undefined
  readonly name: string
  readonly cells: readonly unknown[]
  readonly metadata: RowMetadata
}

export interface RowMetadata {
  readonly name: string
  readonly namespace?: string
  readonly uid: string
  readonly resourceVersion: string
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly {
    apiVersion: string
    kind: string
    name: string
    uid: string
    controller?: boolean
  }[]
}

export interface TableState {
  readonly columns: readonly Column[]
  /** In the order of the server's list, later ones behind. The same array until a row changes. */
  readonly rows: readonly Row[]
  readonly phase: 'loading' | 'live' | 'partial'
  /** How many rows the server has beyond those that are here; of a partial one. */
  readonly remaining: number
  /** Why it is not current; it is tried again. */
  readonly trouble: Error | undefined
}

export interface TableSelection {
  readonly namespace?: string | undefined
  readonly labelSelector?: string | undefined
  readonly fieldSelector?: string | undefined
}

/** Above it rows are not held: a browser would have to sort and filter what only the server can. */
export const MOST_ROWS = 20_000
const PAGE = 1000
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'

interface TableAnswer {
  readonly metadata: {
    readonly resourceVersion: string
    readonly continue?: string
    readonly remainingItemCount?: number
  }
  readonly columnDefinitions?: readonly Column[]
  readonly rows?: readonly { readonly cells: readonly unknown[]; readonly object: { readonly metadata: RowMetadata } }[]
}

const EMPTY: TableState = { columns: [], rows: [], phase: 'loading', remaining: 0, trouble: undefined }

export class TableReplica {
  readonly state = new Shown<TableState>(EMPTY)
  readonly #kind: Kind
  readonly #selection: TableSelection
  readonly #ending = new AbortController()
  #rows = new Map<string, Row>()
  #columns: readonly Column[] = []
  #dirty = false

  constructor(kind: Kind, selection: TableSelection) {
    this.#kind = kind
    this.#selection = selection
    void this.#run()
  }

  close(): void {
    this.#ending.abort()
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending
    let resume: string | undefined
    for (let failures = 0; !signal.aborted; ) {
      try {
        resume ??= await this.#list(signal)
        if (resume === undefined) return
        this.#show({ phase: 'live', trouble: undefined })
        for await (const revision of this.#watch(resume, signal)) {
          resume = revision
          failures = 0
        }
      } catch (error) {
        if (signal.aborted) return
        // What was missed is not kept any more.
        if (isStatusError(error, 'Expired') || isStatusError(error, 'Gone')) resume = undefined
        this.#show({ trouble: error as Error })
        await pauseBefore(++failures, signal)
      }
    }
  }

  /** Undefined when there are too many rows to hold. */
  async #list(signal: AbortSignal): Promise<string | undefined> {
    const rows = new Map<string, Row>()
    for (let token = ''; ; ) {
      const page = (await client.requestJson({
        method: 'GET',
        path: this.#path({ limit: String(PAGE), ...(token !== '' && { continue: token }) }),
        headers: { Accept: TABLE },
        signal,
      })) as TableAnswer
      if (page.columnDefinitions !== undefined) this.#columns = page.columnDefinitions
      for (const { cells, object } of page.rows ?? []) rows.set(object.metadata.uid, rowOf(cells, object.metadata))
      const { continue: more = '', remainingItemCount = 0, resourceVersion } = page.metadata
      this.#rows = rows
      if (rows.size + remainingItemCount > MOST_ROWS) {
        this.#show({ phase: 'partial', remaining: remainingItemCount, trouble: undefined }, true)
        return undefined
      }
      this.#show({ remaining: remainingItemCount }, true)
      if (more === '') return resourceVersion
      token = more
    }
  }

  /** Yields the revision up to which the rows are the server's. */
  async *#watch(resourceVersion: string, signal: AbortSignal): AsyncGenerator<string> {
    const kind = client.resourceOf(apiVersionOf(this.#kind), this.#kind.kind)
    const options = { ...this.#selected(), resourceVersion, allowBookmarks: true, accept: TABLE, signal }
    for await (const { type, object } of kind.watch(options)) {
      const table = object as unknown as TableAnswer
      // Later events of a watch leave the columns out.
      if (table.columnDefinitions?.length) this.#columns = table.columnDefinitions
      const [row] = table.rows ?? []
      if (row !== undefined) this.#apply(type, rowOf(row.cells, row.object.metadata))
      yield row?.object.metadata.resourceVersion ?? table.metadata.resourceVersion
    }
  }

  #apply(type: string, row: Row): void {
    if (type === 'DELETED') this.#rows.delete(row.uid)
    else if (type !== 'BOOKMARK') this.#rows.set(row.uid, row)
    if (type !== 'BOOKMARK') this.#changed()
  }

  /** The array of rows is made once per frame, whatever has changed meanwhile. */
  #changed(): void {
    if (this.#dirty) return
    this.#dirty = true
    requestAnimationFrame(() => {
      this.#dirty = false
      this.#show({}, true)
    })
  }

  #show(change: Partial<TableState>, rowsChanged = false): void {
    const rows = rowsChanged ? [...this.#rows.values()] : this.state.value.rows
    this.state.set({ ...this.state.value, columns: this.#columns, rows, ...change })
  }

  #selected(): TableSelection {
    const { namespace, ...selectors } = this.#selection
    return this.#kind.namespaced ? this.#selection : selectors
  }

  #path(parameters: Readonly<Record<string, string>>): string {
    const { namespace, labelSelector, fieldSelector } = this.#selected()
    const query = new URLSearchParams(parameters)
    if (labelSelector) query.set('labelSelector', labelSelector)
    if (fieldSelector) query.set('fieldSelector', fieldSelector)
    return `${collectionPath(this.#kind, namespace)}?${query}`
  }
}

function rowOf(cells: readonly unknown[], metadata: RowMetadata): Row {
  return { uid: metadata.uid, namespace: metadata.namespace, name: metadata.name, cells, metadata }
}
