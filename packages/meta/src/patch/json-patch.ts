// JSON patch (RFC 6902) with the limits and tolerances of the Kubernetes API server. It changes
// neither document nor patch, so that a patch can be applied again to a newer object.

import { deepClone, deepEqual } from '../json/deep.ts'
import type { JsonValue } from '../json/json-value.ts'
import { writeJson } from '../json/write-json.ts'
import { JsonPatchError } from './json-patch-error.ts'
import { addAt, formatPointer, missing, parsePointer, readPointer, removeAt, replaceAt } from './json-pointer.ts'

const MAX_OPERATIONS = 10_000
/** What all copies of one patch may add, so that doubling a list again and again ends early. */
const MAX_COPIED_BYTES = 3 << 19

/** Items of lists that all operations of one patch may move aside: some 50 ms of work. */
const MAX_MOVED = 200_000_000

export function applyJsonPatch(document: JsonValue, patch: unknown): JsonValue {
  const operations = readOperations(patch)
  let result = deepClone(document)
  let copied = 0
  let moved = 0
  for (const operation of operations) {
    const path = parsePointer(operation.path)
    moved += movedItems(result, path)
    if (moved > MAX_MOVED) throw new JsonPatchError('failed', `the operations of this patch move too many list items`)
    switch (operation.op) {
      case 'add':
        result = addAt(result, path, givenValue(operation))
        break
      case 'replace':
        result = replaceAt(result, path, givenValue(operation))
        break
      case 'remove':
        removeAt(result, path)
        break
      case 'move': {
        const from = parsePointer(operation.from)
        const value = readPointer(result, from)
        if (value === undefined) throw missing(from)
        if (isInside(path, from)) throw new JsonPatchError('failed', `${formatPointer(from)} cannot move into itself`)
        removeAt(result, from)
        result = addAt(result, path, value)
        break
      }
      case 'copy': {
        const from = parsePointer(operation.from)
        const value = readPointer(result, from)
        if (value === undefined) throw missing(from)
        copied += writeJson(value).length
        if (copied > MAX_COPIED_BYTES) {
          throw new JsonPatchError('failed', `the copies of this patch add more than ${MAX_COPIED_BYTES} bytes`)
        }
        result = addAt(result, path, deepClone(value))
        break
      }
      case 'test':
        // A path that does not exist is taken for null, as in the library that Kubernetes uses.
        if (!deepEqual(readPointer(result, path) ?? null, operation.value ?? null)) {
          throw new JsonPatchError('failed', `the test of ${formatPointer(path)} failed: the value is not as expected`)
        }
        break
      default:
        throw new JsonPatchError('failed', `the operation ${JSON.stringify(operation.op)} is unknown`)
    }
  }
  return result
}

/** Those of the list that the path leads into, unless it leads to its end. */
function movedItems(document: JsonValue, path: readonly string[]): number {
  if (path.length === 0 || path.at(-1) === '-') return 0
  const parent = readPointer(document, path.slice(0, -1))
  return Array.isArray(parent) ? parent.length : 0
}

type Operation = Readonly<Record<string, JsonValue>>

function readOperations(patch: unknown): Operation[] {
  if (!Array.isArray(patch)) throw new JsonPatchError('malformed', 'a JSON patch must be a list of operations')
  if (patch.length > MAX_OPERATIONS) {
    const limit = `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`
    throw new JsonPatchError('too-large', `Request entity too large: ${limit}`)
  }
  for (const [index, operation] of patch.entries()) {
    if (typeof operation === 'object' && operation !== null && !Array.isArray(operation)) continue
    throw new JsonPatchError('malformed', `operation ${index} of the JSON patch is not an object`)
  }
  return patch
}

function givenValue(operation: Operation): JsonValue {
  if (operation.value === undefined) {
    throw new JsonPatchError('failed', `the operation ${JSON.stringify(operation.op)} needs a value`)
  }
  return deepClone(operation.value)
}

function isInside(path: readonly string[], ancestor: readonly string[]): boolean {
  return path.length > ancestor.length && ancestor.every((step, index) => step === path[index])
}
