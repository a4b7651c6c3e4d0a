// JSON pointers (RFC 6901) into a document under patch. Only own properties are ever followed or set.

import { MAX_DEPTH } from '../json/json-reader.ts'
import type { JsonValue } from '../json/json-value.ts'
import { JsonPatchError } from './json-patch-error.ts'

type Container = JsonValue[] | { [key: string]: JsonValue }

export function parsePointer(path: unknown): string[] {
  if (typeof path !== 'string') throw new JsonPatchError('failed', 'a JSON patch operation needs a path')
  if (path === '') return []
  if (!path.startsWith('/'))
    throw new JsonPatchError('failed', `the path ${JSON.stringify(path)} does not start with "/"`)
  const steps = path.slice(1).split('/')
  // Nothing is as deep, and to look for it would take long.
  if (steps.length > MAX_DEPTH) throw new JsonPatchError('failed', `a path has more than ${MAX_DEPTH} steps`)
  return path.includes('~') ? steps.map(unescapeStep) : steps
}

/** Undefined when there is nothing. */
export function readPointer(document: JsonValue, steps: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = document
  for (const step of steps) {
    if (Array.isArray(value)) value = value[arrayIndex(step, value.length) ?? -1]
    else if (typeof value === 'object' && value !== null && Object.hasOwn(value, step)) value = value[step]
    else return undefined
  }
  return value
}

/** Puts a value in: inserts into arrays, replaces in objects. */
export function addAt(document: JsonValue, steps: readonly string[], value: JsonValue): JsonValue {
  if (steps.length === 0) return value
  const { parent, last } = locate(document, steps)
  if (!Array.isArray(parent)) {
    if (last === '__proto__') throw new JsonPatchError('failed', 'the key "__proto__" is not allowed')
    parent[last] = value
    return document
  }
  const index = last === '-' ? parent.length : arrayIndex(last, parent.length + 1)
  if (index === undefined) throw noSuchIndex(steps, parent)
  parent.splice(index, 0, value)
  return document
}

export function replaceAt(document: JsonValue, steps: readonly string[], value: JsonValue): JsonValue {
  if (steps.length === 0) return value
  const { parent, last } = locate(document, steps)
  if (Array.isArray(parent)) {
    const index = arrayIndex(last, parent.length)
    if (index === undefined) throw noSuchIndex(steps, parent)
    parent[index] = value
  } else {
    if (!Object.hasOwn(parent, last)) throw missing(steps)
    parent[last] = value
  }
  return document
}

export function removeAt(document: JsonValue, steps: readonly string[]): void {
  if (steps.length === 0) throw new JsonPatchError('failed', 'the whole document cannot be removed')
  const { parent, last } = locate(document, steps)
  if (Array.isArray(parent)) {
    const index = arrayIndex(last, parent.length)
    if (index === undefined) throw noSuchIndex(steps, parent)
    parent.splice(index, 1)
  } else {
    if (!Object.hasOwn(parent, last)) throw missing(steps)
    delete parent[last]
  }
}

export function formatPointer(steps: readonly string[]): string {
  return JSON.stringify(steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''))
}

export function missing(steps: readonly string[]): JsonPatchError {
  return new JsonPatchError('failed', `the path ${formatPointer(steps)} does not exist`)
}

function locate(document: JsonValue, steps: readonly string[]): { parent: Container; last: string } {
  const parent = readPointer(document, steps.slice(0, -1))
  if (typeof parent !== 'object' || parent === null) throw missing(steps.slice(0, -1))
  return { parent, last: steps.at(-1) ?? '' }
}

/** As Kubernetes does, a negative index counts from the end. */
function arrayIndex(step: string, length: number): number | undefined {
  if (!/^-?(?:0|[1-9][0-9]{0,9})$/.test(step)) return undefined
  const index = Number(step) < 0 ? length + Number(step) : Number(step)
  return index >= 0 && index < length ? Math.abs(index) : undefined
}

function noSuchIndex(steps: readonly string[], parent: readonly unknown[]): JsonPatchError {
  return new JsonPatchError('failed', `the path ${formatPointer(steps)} is no index of a list of ${parent.length}`)
}

function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}
