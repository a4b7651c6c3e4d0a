// Checks what the scale subresource needs of an object: counts are numbers, the selector is a string. It runs on every
// write of a kind with scale; causes name the definition's own paths.

import { isObject, type KubeObject } from '@homeostat/meta'
import { type Cause, invalidValue } from '@homeostat/meta/server'
import type { ScalePaths } from '../registry/resource-type.ts'

const MAX_REPLICAS = 2 ** 31 - 1

export function scaleErrors(object: KubeObject, paths: ScalePaths): Cause[] {
  return [
    ...replicasErrors(object, paths.specReplicas),
    ...replicasErrors(object, paths.statusReplicas),
    ...(paths.labelSelector === undefined ? [] : selectorErrors(object, paths.labelSelector)),
  ]
}

function replicasErrors(object: KubeObject, path: string): Cause[] {
  const found = valueAt(object, path)
  if (found === undefined) return []
  const replicas = typeof found === 'bigint' ? Number(found) : found
  if (typeof replicas !== 'number' || !Number.isInteger(replicas))
    return [invalidValue(path, found, 'should be an integer')]
  if (replicas < 0) return [invalidValue(path, found, 'should be a non-negative integer')]
  if (replicas > MAX_REPLICAS) return [invalidValue(path, found, `should be less than or equal to ${MAX_REPLICAS}`)]
  return []
}

function selectorErrors(object: KubeObject, path: string): Cause[] {
  const found = valueAt(object, path)
  return found === undefined || typeof found === 'string' ? [] : [invalidValue(path, found, 'should be a string')]
}

/** The value at a simple dotted path; null counts as absent. */
function valueAt(object: KubeObject, path: string): unknown {
  let value: unknown = object
  for (const step of path.split('.').filter((part) => part !== '')) {
    if (!isObject(value) || !Object.hasOwn(value, step)) return undefined
    value = value[step]
  }
  return value ?? undefined
}
