// Reads a collection page by page. If the revision of the first page expires meanwhile, the list starts again without
// pages, so that it ends.

import { isStatusError } from '@homeostat/meta'
import type { ListOptions } from '../api/client.ts'
import type { ObjectList } from '../api/kinds.ts'
import { firstPage, listRequest, type PageQuery } from '../request/read-requests.ts'
import { readJson } from '../response/read-body.ts'
import type { KindAccess } from './kind-access.ts'

/** The pages of one consistent snapshot. Throws `Expired` when the server has compacted its revision. */
export async function* listPages<T>(kind: KindAccess, options: ListOptions): AsyncGenerator<ObjectList<T>, void> {
  let page: PageQuery | undefined = firstPage(options)
  while (page !== undefined) {
    const list: ObjectList<T> = await readPage(kind, options, page)
    yield list
    page = list.metadata.continue ? { limit: page.limit, continue: list.metadata.continue } : undefined
  }
}

export async function listAll<T>(kind: KindAccess, options: ListOptions): Promise<ObjectList<T>> {
  let whole: ObjectList<T> | undefined
  try {
    for await (const page of listPages<T>(kind, options)) {
      if (whole === undefined) whole = page
      else {
        whole.metadata = page.metadata
        for (const item of page.items) whole.items.push(item)
      }
    }
  } catch (error) {
    const expired = isStatusError(error, 'Expired') || isStatusError(error, 'Gone')
    if (!expired || whole === undefined) throw error
    whole = undefined
  }
  return whole ?? readPage(kind, options, { ...firstPage(options), limit: undefined })
}

async function readPage<T>(kind: KindAccess, options: ListOptions, page: PageQuery): Promise<ObjectList<T>> {
  const list = (await kind.call((info) => listRequest(info, options, page), options.signal, readJson)) as ObjectList<T>
  list.items ??= []
  list.metadata ??= {}
  // Items of built-in lists carry no apiVersion and kind.
  const { apiVersion, kind: name } = kind
  list.items = list.items.map((item) => ({ apiVersion, kind: name, ...item }))
  return list
}
