// Searches the encoded metadata of stored objects, so that a controller parses only objects that concern it. A search
// text should not begin with a quote: quotes are everywhere, which makes the search slow.

import type { ObjectMeta } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'

export function metadataOf(object: CachedObject): ObjectMeta {
  return JSON.parse(
    object.buffer.toString('utf8', object.at(object.metaStart), object.at(object.metaEnd)),
  ) as ObjectMeta
}

/** Parses the bytes before the metadata. */
export function kindOf(object: CachedObject): { readonly apiVersion: string; readonly kind: string } {
  const { buffer, start, head, headSize } = object
  const text = head?.toString() ?? buffer.toString('utf8', start, start + headSize)
  return JSON.parse(`${text}"metadata":null}`) as { apiVersion: string; kind: string }
}

/** The metadata as latin1 text, good for ASCII searches only. Empty for a damaged object. */
export function metadataText(object: CachedObject): string {
  if (object.damage !== undefined) return ''
  return object.buffer.toString('latin1', object.at(object.metaStart), object.at(object.metaEnd))
}

const UID = 'uid":"'

/** Every uid in the metadata: the object's own, those of its owners, and anything that looks like one. */
export function uidsIn(object: CachedObject): string[] {
  const text = metadataText(object)
  const found: string[] = []
  for (let at = text.indexOf(UID); at >= 0; at = text.indexOf(UID, at)) {
    at += UID.length
    found.push(text.slice(at, text.indexOf('"', at)))
  }
  return found
}

/** Searches many objects: neighbours share a buffer, which is searched once for all of them. */
export class MetadataSearch {
  readonly #text: Buffer
  #buffer: Buffer | undefined
  #from = 0
  #hit = -1

  constructor(text: string) {
    this.#text = Buffer.from(text)
  }

  has(object: CachedObject): boolean {
    if (object.damage !== undefined) return false
    const from = object.at(object.metaStart)
    const known = object.buffer === this.#buffer && from >= this.#from
    if (!known || (this.#hit >= 0 && this.#hit < from)) this.#hit = object.buffer.indexOf(this.#text, from)
    this.#buffer = object.buffer
    this.#from = from
    return this.#hit >= 0 && this.#hit < object.at(object.metaEnd)
  }
}
