// A copy of the server's Table of one kind, kept current by a watch. It holds the cells and the metadata of each row, never whole
// objects. Above a limit it stops following: the screen then shows the server's pages.

import { isStatusError } from '@homeostat/meta'
import { type JsonPath, parseJsonPath } from '@homeostat/meta/json-path'
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
  /** What the selection's paths reach in the object, in their order. Only when some were asked for. */
  readonly fields?: readonly unknown[]
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
  /** How many rows the server has beyond those that are here; undefined when it does not say, as with selectors. */
  readonly remaining: number | undefined
  /** Of a partial one: whether the server has a page after this one. */
  readonly hasNext: boolean
  /** Of a partial one: which of the server's pages the rows are, from 0. */
  readonly page: number
  /** Why it is not current; it is tried again. */
  readonly trouble: Error | undefined
}

export interface TableSelection {
  readonly namespace?: string | undefined
  readonly labelSelector?: string | undefined
  readonly fieldSelector?: string | undefined
  /** JSON paths into the objects. With any, the server sends whole objects, of which only what they reach is kept. */
  readonly paths?: readonly string[] | undefined
}

/** Above it rows are not held: a browser would have to sort and filter what only the server can. */
export const MOST_ROWS = 20_000
const PAGE = 1000
/** Asked for first: what a screen shows is there while the rest is on its way. Serves the bench row of the first rows. */
const FIRST_PAGE = 100
const MANY_ROWS = 1000
const MANY_ROWS_MS = 100
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'

type TableObject = { readonly metadata: RowMetadata }

interface TableAnswer {
  readonly metadata: {
    readonly resourceVersion: string
    readonly continue?: string
    readonly remainingItemCount?: number
  }
  readonly columnDefinitions?: readonly Column[]
  readonly rows?: readonly { readonly cells: readonly unknown[]; readonly object: TableObject }[]
}

export const EMPTY_TABLE: TableState = {
  columns: [],
  rows: [],
  phase: 'loading',
  remaining: 0,
  hasNext: false,
  page: 0,
  trouble: undefined,
}

export class TableReplica {
  readonly state = new Shown<TableState>(EMPTY_TABLE)
  readonly #kind: Kind
  readonly #selection: TableSelection
  readonly #ending = new AbortController()
  #rows = new Map<string, Row>()
  #columns: readonly Column[] = []
  #dirty = false
  readonly #paths: readonly JsonPath[]
  /** Where the server's next page begins, while only a page is held. */
  #next = ''

  constructor(kind: Kind, selection: TableSelection) {
    this.#kind = kind
    this.#selection = selection
    this.#paths = (selection.paths ?? []).map(parseJsonPath)
    void this.#run()
  }

  close(): void {
    this.#ending.abort()
  }

  /** Of a partial one: shows the server's next page, or the first one again. Pages do not change by themselves. */
  async turn(to: 'next' | 'first'): Promise<void> {
    if (this.state.value.phase !== 'partial' || (to === 'next' && this.#next === '')) return
    const { signal } = this.#ending
    try {
      const answer = await this.#page(to === 'next' ? this.#next : '', signal)
      this.#rows = this.#rowsOf(answer)
      this.#next = answer.metadata.continue ?? ''
      const page = to === 'next' ? this.state.value.page + 1 : 0
      this.#show({ page, ...this.#beyond(answer), trouble: undefined }, true)
    } catch (error) {
      if (!signal.aborted) this.#show({ trouble: error as Error })
    }
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
        await pauseBefore(++failures, signal, error)
      }
    }
  }

  /** Undefined when there are too many rows to hold: then the first page is. */
  async #list(signal: AbortSignal): Promise<string | undefined> {
    const rows = new Map<string, Row>()
    let limit = FIRST_PAGE
    for (let token = ''; ; limit = PAGE) {
      const page = await this.#page(token, signal, limit)
      for (const [uid, row] of this.#rowsOf(page)) rows.set(uid, row)
      const { continue: more = '', remainingItemCount = 0, resourceVersion } = page.metadata
      // A server that does not say how many there are is asked until they are too many.
      if (rows.size + Math.max(remainingItemCount, more === '' ? 0 : 1) > MOST_ROWS) {
        const first = await this.#page('', signal)
        this.#rows = this.#rowsOf(first)
        this.#next = first.metadata.continue ?? ''
        this.#show({ phase: 'partial', page: 0, ...this.#beyond(first), trouble: undefined }, true)
        return undefined
      }
      this.#rows = rows
      this.#show(this.#beyond(page), true)
      if (more === '') return resourceVersion
      token = more
    }
  }

  #beyond({ metadata }: TableAnswer): Pick<TableState, 'remaining' | 'hasNext'> {
    const hasNext = (metadata.continue ?? '') !== ''
    return { hasNext, remaining: hasNext ? metadata.remainingItemCount : 0 }
  }

  async #page(token: string, signal: AbortSignal, limit = PAGE): Promise<TableAnswer> {
    const page = (await client.requestJson({
      method: 'GET',
      path: this.#path({ limit: String(limit), ...(token !== '' && { continue: token }) }),
      headers: { Accept: TABLE },
      signal,
    })) as TableAnswer
    if (page.columnDefinitions !== undefined) this.#columns = page.columnDefinitions
    return page
  }

  #rowsOf({ rows = [] }: TableAnswer): Map<string, Row> {
    return new Map(rows.map(({ cells, object }) => [object.metadata.uid, this.#rowOf(cells, object)]))
  }

  #rowOf(cells: readonly unknown[], object: TableObject): Row {
    const { metadata } = object
    const row = { uid: metadata.uid, namespace: metadata.namespace, name: metadata.name, cells, metadata }
    if (this.#paths.length === 0) return row
    return { ...row, fields: this.#paths.map((path) => valueAt(path, object)) }
  }

  /** Yields the revision up to which the rows are the server's. */
  async *#watch(resourceVersion: string, signal: AbortSignal): AsyncGenerator<string> {
    const kind = client.resourceOf(apiVersionOf(this.#kind), this.#kind.kind)
    const { namespace, labelSelector, fieldSelector } = this.#selected()
    const selected = {
      ...(namespace && { namespace }),
      ...(labelSelector && { labelSelector }),
      ...(fieldSelector && { fieldSelector }),
    }
    const wanted = this.#paths.length > 0 && { includeObject: 'Object' as const }
    const options = { ...selected, ...wanted, resourceVersion, allowBookmarks: true, accept: TABLE, signal }
    for await (const { type, object } of kind.watch(options)) {
      const table = object as unknown as TableAnswer
      // Later events of a watch leave the columns out.
      if (table.columnDefinitions?.length) this.#columns = table.columnDefinitions
      const [row] = table.rows ?? []
      if (row !== undefined) this.#apply(type, this.#rowOf(row.cells, row.object))
      yield row?.object.metadata.resourceVersion ?? table.metadata.resourceVersion
    }
  }

  #apply(type: string, row: Row): void {
    if (type === 'DELETED') this.#rows.delete(row.uid)
    else if (type !== 'BOOKMARK') this.#rows.set(row.uid, row)
    if (type !== 'BOOKMARK') this.#changed()
  }

  /**
   * The array of rows is made, filtered and sorted anew once per frame, whatever has changed meanwhile; of many rows ten times a
   * second, which nobody sees and the bench row of 1,000 changes per second does.
   */
  #changed(): void {
    if (this.#dirty) return
    this.#dirty = true
    const apply = () => {
      this.#dirty = false
      this.#show({}, true)
    }
    if (this.#rows.size < MANY_ROWS) requestAnimationFrame(apply)
    else setTimeout(apply, MANY_ROWS_MS)
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
    if (this.#paths.length > 0) query.set('includeObject', 'Object')
    if (labelSelector) query.set('labelSelector', labelSelector)
    if (fieldSelector) query.set('fieldSelector', fieldSelector)
    return `${collectionPath(this.#kind, namespace)}?${query}`
  }
}

/** One value as it is, several as a list. */
function valueAt(path: JsonPath, object: TableObject): unknown {
  const found = path.find(object)
  return found.length > 1 ? found : found[0]
}
