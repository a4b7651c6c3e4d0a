// Looks for text in the metadata of objects as they are stored, so that an object that does not concern a controller
// is never parsed. Keys of metadata stand in the bytes as they are written here: quotes inside values are escaped.

import type { ObjectMeta } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'

export function metadataOf(object: CachedObject): ObjectMeta {
  const { buffer, start, metaStart, metaEnd } = object
  return JSON.parse(buffer.toString('utf8', start + metaStart, start + metaEnd)) as ObjectMeta
}

/** What stands before metadata. */
export function kindOf(object: CachedObject): { readonly apiVersion: string; readonly kind: string } {
  const { buffer, start, metaStart } = object
  return JSON.parse(`${buffer.toString('utf8', start, start + metaStart)}null}`) as { apiVersion: string; kind: string }
}

export function metadataHas(object: CachedObject, text: Buffer): boolean {
  return object.damage === undefined && metadataBytes(object).indexOf(text) >= 0
}

const UID = Buffer.from('"uid":"')

/** Every uid in the metadata: the object's own, those of its owners, and what only looks like one. */
export function* uidsIn(object: CachedObject): Generator<string, void, undefined> {
  if (object.damage !== undefined) return
  const bytes = metadataBytes(object)
  for (let at = bytes.indexOf(UID); at >= 0; at = bytes.indexOf(UID, at)) {
    at += UID.length
    yield bytes.toString('latin1', at, bytes.indexOf(QUOTE, at))
  }
}

const QUOTE = 0x22

function metadataBytes({ buffer, start, metaStart, metaEnd }: CachedObject): Buffer {
  return buffer.subarray(start + metaStart, start + metaEnd)
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
    const from = object.start + object.metaStart
    const known = object.buffer === this.#buffer && from >= this.#from
    if (!known || (this.#hit >= 0 && this.#hit < from)) this.#hit = object.buffer.indexOf(this.#text, from)
    this.#buffer = object.buffer
    this.#from = from
    return this.#hit >= 0 && this.#hit < object.start + object.metaEnd
  }
}
