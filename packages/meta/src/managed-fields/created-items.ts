// The common case of lists with keys and sets, quickly: items known by one plain text or integer.

import { isObject } from '../json/is-object.ts'
import { fieldOf, type PartedList } from './typed-value.ts'

export interface SimpleItem {
  /** The path element as a JSON text. */
  readonly quoted: string
  readonly item: unknown
}

interface Ordered extends SimpleItem {
  readonly value: string | number
}

const FEW = 16

/** The items in the order of their elements; undefined when the list is not so simple. */
export function simpleItems(list: PartedList, items: readonly unknown[]): readonly SimpleItem[] | undefined {
  if (items.length > FEW) return undefined
  const [key, more] = list.keys
  if (more !== undefined || (key !== undefined && !isSimple(key.name))) return undefined
  const sorted: Ordered[] = []
  for (const item of items) {
    const given = key === undefined || !isObject(item) ? item : fieldOf(item, key.name)
    const value = given === undefined ? key?.default : given
    if (typeof value === 'string' ? !isSimple(value) : !Number.isSafeInteger(value)) return undefined
    const order = value as string | number
    const text = typeof order === 'string' ? `\\"${order}\\"` : String(order)
    const quoted = key === undefined ? `"v:${text}"` : `"k:{\\"${key.name}\\":${text}}"`
    if (!insert(sorted, { value: order, quoted, item })) return undefined
  }
  return sorted
}

/** False when it is there already, or is of another type than the others. */
function insert(sorted: Ordered[], one: Ordered): boolean {
  let to = sorted.length
  for (; to > 0; to--) {
    const other = sorted[to - 1]
    if (other === undefined || other.value < one.value) break
    if (other.value === one.value || typeof other.value !== typeof one.value) return false
    sorted[to] = other
  }
  const [first] = sorted
  if (first !== undefined && typeof first.value !== typeof one.value) return false
  sorted[to] = one
  return true
}

/** Whether Go and we write the text in the same way, without an escape. */
function isSimple(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code > 0x7e) return false
    if (code === 0x22 || code === 0x5c || code === 0x3c || code === 0x3e || code === 0x26) return false
  }
  return true
}
