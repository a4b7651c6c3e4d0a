// Drops nulls that a schema does not allow and fills in defaults, in place.
// Runs after pruning, on requests and on what is read in an older form.

import { deepClone, isObject, writeJson } from '@homeostat/meta'
import { MAX_DEPTH } from '../compile/field-path.ts'
import { fieldNode, ownField, type SchemaNode, setField } from '../compile/schema-node.ts'

/** The limit of defaults per object, in characters: no object may be larger. */
const MAX_FILLED = 2 << 20
/** The cost of a default beside its text. */
const EACH = 8

/** Skips parts that are the same object in `filled`, which has its defaults. */
export function applyDefaults(value: unknown, node: SchemaNode | undefined, filled?: unknown): void {
  new Filling().value(value, node, 0, filled)
}

/** One walk. It stops when the defaults exceed the limit; the object is then refused for its size. */
class Filling {
  #left = MAX_FILLED

  value(value: unknown, node: SchemaNode | undefined, depth: number, filled?: unknown): void {
    if (node === undefined || typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
    if (this.#left < 0 || value === filled) return
    if (Array.isArray(value)) this.#items(value, node, depth)
    else this.#fields(value as Record<string, unknown>, node, depth, isObject(filled) ? filled : undefined)
  }

  #fields(
    object: Record<string, unknown>,
    node: SchemaNode,
    depth: number,
    filled: Record<string, unknown> | undefined,
  ): void {
    if (node.defaults !== undefined) {
      for (const { name, node: property } of node.defaults) {
        const present = ownField(object, name)
        if (present === undefined || (present === null && !property.nullable)) {
          setField(object, name, this.#copy(property))
        }
      }
    }
    for (const name in object) {
      const value = object[name]
      if (typeof value !== 'object') continue
      const child = fieldNode(node, name)
      if (child === undefined) continue
      if (value === null) this.#null(object, name, child)
      // Never what the object inherits: a null called __proto__ may just have been dropped.
      this.value(ownField(object, name), child, depth + 1, filled && ownField(filled, name))
    }
  }

  /** A null that is still here has no default in `properties`; one for additionalProperties may be left. */
  #null(object: Record<string, unknown>, name: string, child: SchemaNode): void {
    if (child.nullable) return
    if (child.default === undefined) delete object[name]
    else setField(object, name, this.#copy(child))
  }

  /** Nulls in a list keep their place, since the other items would move. */
  #items(list: unknown[], node: SchemaNode, depth: number): void {
    const items = node.items
    if (items === undefined) return
    for (let i = 0; i < list.length; i++) {
      const value = list[i]
      if (value === null && !items.nullable && items.default !== undefined) list[i] = this.#copy(items)
      this.value(list[i], items, depth + 1)
    }
  }

  #copy(node: SchemaNode): unknown {
    node.defaultSize ??= sizeOf(node.default)
    this.#left -= EACH + node.defaultSize
    return deepClone(node.default)
  }
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? writeJson(value).length : 0
}
