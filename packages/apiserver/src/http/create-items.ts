// A POST of a list to a collection, for kinds whose rules allow it: creates each item by itself, as a POST of its own would, and
// responds with the objects in order. An item that is refused is a Status in the response and does not stop the others.

import { badRequest, type JsonValue } from '@homeostat/meta'
import type { JsonRead } from '@homeostat/meta/server'
import { asStatusError } from '../exchange/failure.ts'
import { create } from '../pipeline/lists.ts'
import { runWrite } from '../pipeline/run-write.ts'
import { apiVersionOf } from '../registry/decode-object.ts'
import type { Registry } from '../registry/registry.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import type { WriteRequest } from '../registry/write-request.ts'
import { jsonResponse, type ResponseBody, writtenResponse } from '../represent/object-response.ts'
import { JSON_FORM } from '../represent/representation.ts'

/** Bounds the time for which one request has the event loop. */
export const MAX_ITEMS = 100

/** Undefined unless the body is a list of a kind that may be created by lists. */
export function itemsOf({ value, duplicates }: JsonRead, type: ResourceType): readonly JsonValue[] | undefined {
  if (!type.strategy.createsLists || !isList(value, type)) return undefined
  const { items } = value
  if (!Array.isArray(items)) throw badRequest('items must be a list of objects')
  if (items.length > MAX_ITEMS) throw badRequest(`a list has at most ${MAX_ITEMS} items, not ${items.length}`)
  if (duplicates.length > 0) throw badRequest('a field of the list or of its items is there twice')
  return items
}

export async function createItems(
  registry: Registry,
  type: ResourceType,
  request: WriteRequest,
  items: readonly JsonValue[],
): Promise<ResponseBody> {
  const bodies = await Promise.all(items.map((item) => createItem(registry, type, request, item)))
  const pieces: Buffer[] = [
    Buffer.from(`{"kind":"${type.listKind}","apiVersion":"${apiVersionOf(type)}","metadata":{},"items":[`),
  ]
  for (const [index, body] of bodies.entries()) {
    if (index > 0) pieces.push(COMMA)
    pieces.push(body)
  }
  pieces.push(END)
  return { contentType: 'application/json', body: Buffer.concat(pieces) }
}

const COMMA = Buffer.from(',')
const END = Buffer.from(']}')
const PLAIN = { representation: JSON_FORM, pretty: false, includeObject: 'Metadata', now: 0 } as const

async function createItem(
  registry: Registry,
  type: ResourceType,
  request: WriteRequest,
  item: JsonValue,
): Promise<Buffer> {
  try {
    const written = await runWrite(registry, create, request, { value: item, duplicates: [] })
    return (await writtenResponse(written, type, PLAIN)).body
  } catch (error) {
    return jsonResponse(asStatusError(error).status, false).body
  }
}

function isList(value: JsonValue, { listKind }: ResourceType): value is { readonly items?: JsonValue; kind: string } {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && value.kind === listKind
}
