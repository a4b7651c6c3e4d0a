// The errors of strategic merge patches, in kube-apiserver's words. It responds 500 to most of them and prints values as Go
// does; clients that search for these messages find them here, too.

import type { JsonValue } from '../json/json-value.ts'
import { writeJson } from '../json/write-json.ts'
import type { StatusError } from '../status/status-error.ts'
import { badRequest, failure } from '../status/status-errors.ts'
import { JsonPatchError } from './json-patch-error.ts'

export const badRetainKeys = () => badRequest('invalid patch format of retainKeys')
export const badOrderKey = () => badRequest('invalid patch format of setElementOrder list')
export const badDeletionKey = () => badRequest('invalid patch format of primitive list')
export const listOfLists = () => new JsonPatchError('failed', 'lists of lists are not supported')

export function notAnObject(patch: JsonValue): StatusError {
  const type = Array.isArray(patch) ? 'array' : typeof patch === 'boolean' ? 'bool' : jsonType(patch)
  return badRequest(`json: cannot unmarshal ${type} into Go value of type map[string]interface {}`)
}

export function unknownDirective(directive: JsonValue, item: JsonValue): StatusError {
  return failure(500, `unknown patch type: ${goText(directive)} in map: ${goText(item)}`)
}

export function noMergeKey(item: JsonValue, mergeKey: string): StatusError {
  return failure(500, `map: ${goText(item)} does not contain declared merge key: ${mergeKey}`)
}

export function listWithoutMergeKey(): StatusError {
  return failure(500, 'cannot merge lists without merge key for struct')
}

export function mixedItems(...lists: JsonValue[][]): StatusError {
  return failure(500, `list element types are not identical: ${goText(lists)}`)
}

export function wrongType(expected: 'map[string]interface {}' | '[]interface {}', value: JsonValue): StatusError {
  return failure(500, `expected a ${expected}, but received a ${goType(value)}`)
}

export function unknownField(name: string): StatusError {
  return failure(500, `unable to find api field for the json field ${JSON.stringify(name)}`)
}

export function otherOrder(patch: JsonValue[], order: JsonValue[]): StatusError {
  const text = `The order in patch list:\n${goText(patch)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`
  return failure(500, text)
}

/** A value as Go prints it: `map[a:1 b:[x y]]`. */
export function goText(value: JsonValue): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`
  if (typeof value !== 'object') return typeof value === 'string' ? value : writeJson(value)
  const keys = Object.keys(value).sort()
  return `map[${keys.map((key) => `${key}:${goText(value[key] ?? null)}`).join(' ')}]`
}

function goType(value: JsonValue): string {
  if (value === null) return '%!s(<nil>)'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'object') return 'map[string]interface {}'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number' && !Number.isInteger(value)) return 'float64'
  return typeof value === 'string' ? 'string' : 'int64'
}

function jsonType(value: JsonValue): string {
  return typeof value === 'bigint' ? 'number' : typeof value
}
