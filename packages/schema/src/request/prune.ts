// Removes the fields that a schema does not know, in place, and returns their paths.
// The server runs it on every request; it allocates nothing while there is nothing to remove.

import { deepEqual, isObject, isStatusError } from '@homeostat/meta'
import { type DecodedObjectMeta, decodeObjectMeta } from '@homeostat/meta/server'
import { FieldPath, MAX_DEPTH } from '../compile/field-path.ts'
import { ownField, type SchemaNode } from '../compile/schema-node.ts'
import { metaFields } from '../json-schema.ts'

/**
 * The caller handles the metadata of `root` itself; that of embedded resources is pruned here. Parts that are the same
 * object in `pruned`, which has been pruned before, are skipped.
 */
export function prune(object: unknown, root: SchemaNode, pruned?: unknown): string[] {
  const walk = new Pruning(root)
  walk.value(object, root, pruned)
  return walk.removed === undefined ? [] : walk.removed.sort()
}

/** Leaves the metadata of embedded resources alone, too, as Kubernetes does when it judges the default of a schema. */
export function pruneBesideMetadata(object: unknown, root: SchemaNode): void {
  new Pruning(root, true).value(object, root)
}

class Pruning {
  removed: string[] | undefined
  readonly #path = new FieldPath()
  readonly #root: SchemaNode
  readonly #keepsMetadata: boolean

  constructor(root: SchemaNode, keepsMetadata = false) {
    this.#root = root
    this.#keepsMetadata = keepsMetadata
  }

  value(value: unknown, node: SchemaNode | undefined, pruned?: unknown): void {
    if (typeof value !== 'object' || value === null || value === pruned || this.#path.depth > MAX_DEPTH) return
    if (node?.preserveUnknown) this.#preserved(value, node)
    else if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) this.#item(value, i, node?.items, false)
    } else this.#fields(value as Record<string, unknown>, node, isObject(pruned) ? pruned : undefined)
  }

  #fields(
    object: Record<string, unknown>,
    node: SchemaNode | undefined,
    pruned: Record<string, unknown> | undefined,
  ): void {
    if (node?.embedded && node !== this.#root) this.#metadata(object)
    for (const name in object) {
      if (node?.embedded && metaFields.has(name)) continue
      const known = node?.properties?.get(name)
      if (known !== undefined) this.#field(object, name, known, pruned)
      else if (node?.additional !== undefined) {
        this.#field(object, name, typeof node.additional === 'object' ? node.additional : undefined)
      } else this.#remove(object, name)
    }
  }

  /** Unknown fields stay; known ones are pruned inside. */
  #preserved(value: object, node: SchemaNode): void {
    if (this.#path.depth > MAX_DEPTH) return
    if (Array.isArray(value)) {
      if (node.items === undefined) return
      for (let i = 0; i < value.length; i++) this.#item(value, i, node.items, true)
      return
    }
    const object = value as Record<string, unknown>
    if (node.embedded && node !== this.#root) this.#metadata(object)
    if (node.properties === undefined && node.additional === undefined) return
    for (const name in object) {
      if (node.embedded && metaFields.has(name)) continue
      const known = node.properties?.get(name)
      if (known !== undefined) this.#field(object, name, known)
      else if (node.additional !== undefined) {
        this.#field(object, name, typeof node.additional === 'object' ? node.additional : undefined)
      }
    }
  }

  /** Malformed metadata stays as it is, for validation to refuse. */
  #metadata(object: Record<string, unknown>): void {
    const { metadata } = object
    if (this.#keepsMetadata || !isObject(metadata)) return
    const decoded = tryDecode(metadata)
    if (decoded === undefined || deepEqual(decoded.meta, metadata)) return
    object.metadata = decoded.meta
    for (const name of decoded.unknown) this.#note(name)
  }

  #field(
    object: Record<string, unknown>,
    name: string,
    node: SchemaNode | undefined,
    pruned?: Record<string, unknown>,
  ): void {
    const value = object[name]
    if (typeof value !== 'object' || value === null) return
    this.#path.push(name)
    this.value(value, node, pruned && ownField(pruned, name))
    this.#path.pop()
  }

  #item(list: unknown[], index: number, node: SchemaNode | undefined, preserved: boolean): void {
    const value = list[index]
    if (typeof value !== 'object' || value === null) return
    this.#path.push(index)
    if (preserved && node !== undefined) this.#preserved(value, node)
    else this.value(value, node)
    this.#path.pop()
  }

  #remove(object: Record<string, unknown>, name: string): void {
    delete object[name]
    this.#note(name)
  }

  #note(name: string): void {
    this.#path.push(name)
    this.removed ??= []
    this.removed.push(this.#path.toString())
    this.#path.pop()
  }
}

function tryDecode(metadata: unknown): DecodedObjectMeta | undefined {
  try {
    return decodeObjectMeta(metadata)
  } catch (error) {
    if (isStatusError(error)) return undefined
    throw error
  }
}
