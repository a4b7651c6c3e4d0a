// Where everything lies in etcd: the names of keys under the store's prefix, and back. All parts of the driver call it; pure.
//
//   PREFIX/archive/KEY\0...   copies of older versions, for `history` below the horizon; not watched
//   PREFIX/deleted/KEY        the record of the key's last deletion, while it is above the horizon
//   PREFIX/meta/NAME          what the store says of itself
//   PREFIX/object/KEY         the current record of a key

/** A range of keys, its end excluded. */
export interface KeyRange {
  readonly key: string
  readonly end: string
}

export type Area = 'archive' | 'deleted' | 'meta' | 'object'

export class Layout {
  /** Deletions, meta and objects lie side by side, so that one watch sees them all. */
  readonly watched: KeyRange
  readonly #prefix: string

  constructor(prefix: string) {
    this.#prefix = `${prefix.replace(/\/+$/, '')}/`
    this.watched = { key: this.#key('deleted', ''), end: this.under('object', '').end }
  }

  object(key: string): string {
    return this.#key('object', key)
  }

  deleted(key: string): string {
    return this.#key('deleted', key)
  }

  meta(name: 'store' | 'horizon' | 'cluster' | 'moved'): string {
    return this.#key('meta', name)
  }

  archived(name: string): string {
    return this.#key('archive', name)
  }

  /** All keys of the area whose names start with the text. */
  under(area: Area, text: string): KeyRange {
    const key = this.#key(area, text)
    return { key, end: textEnd(key) }
  }

  /** The area of a key of the watched range, told by its first letter. */
  areaOf(key: string): Area | undefined {
    return AREAS[key.charCodeAt(this.#prefix.length)]
  }

  /** What follows the area's name. */
  nameIn(area: Area, key: string): string {
    return key.slice(this.#prefix.length + area.length + 1)
  }

  #key(area: Area, name: string): string {
    return `${this.#prefix}${area}/${name}`
  }
}

const AREAS: Readonly<Record<number, Area>> = Object.fromEntries(
  (['archive', 'deleted', 'meta', 'object'] as const).map((area) => [area.charCodeAt(0), area]),
)

/** The first text after all that start with this one, in the order of UTF-8. */
function textEnd(text: string): string {
  const points = [...text]
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const code = last.codePointAt(0) ?? 0
    // No text has surrogates alone.
    if (code < 0x10ffff) return points.join('') + String.fromCodePoint(code === 0xd7ff ? 0xe000 : code + 1)
  }
  throw new RangeError('no text follows')
}
