// Looks for text in the metadata of objects as they are stored, so that an object that does not concern a controller
// is never parsed. What is looked for should not begin with a quote: these are everywhere, and make it slow.

import type { ObjectMeta } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'

export function metadataOf(object: CachedObject): ObjectMeta {
  return JSON.parse(
    object.buffer.toString('utf8', object.at(object.metaStart), object.at(object.metaEnd)),
  ) as ObjectMeta
}

/** What stands before metadata. */
export function kindOf(object: CachedObject): { readonly apiVersion: string; readonly kind: string } {
  const { buffer, start, head, headSize } = object
  const text = head?.toString() ?? buffer.toString('utf8', start, start + headSize)
  return JSON.parse(`${text}"metadata":null}`) as { apiVersion: string; kind: string }
}

/** Only good to look for ASCII in it. Nothing of an object that is damaged. */
export function metadataText(object: CachedObject): string {
  if (object.damage !== undefined) return ''
  return object.buffer.toString('latin1', object.at(object.metaStart), object.at(object.metaEnd))
}

const UID = 'uid":"'

/** Every uid in the metadata: the object's own, those of its owners, and what only looks like one. */
export function uidsIn(object: CachedObject): string[] {
  const text = metadataText(object)
  const found: string[] = []
  for (let at = text.indexOf(UID); at >= 0; at = text.indexOf(UID, at)) {
    at += UID.length
    found.push(text.slice(at, text.indexOf('"', at)))
  }
  return found
}

/** For a walk through many objects: neighbours share a buffer, which is then searched once for all of them. */
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
