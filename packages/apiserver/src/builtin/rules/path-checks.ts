// Checks paths in volumes and containers: none may leave its root by `..`.

import { type Cause, invalidValue } from '@homeostat/meta/server'

export function noBacksteps(path: string, value: string): Cause[] {
  return value.split('/').includes('..') ? [invalidValue(path, value, "must not contain '..'")] : []
}

/** The path is relative and has no `..`. */
export function descendingPath(path: string, value: string): Cause[] {
  return [
    ...(value.startsWith('/') ? [invalidValue(path, value, 'must be a relative path')] : []),
    ...noBacksteps(path, value),
  ]
}

/** The kubelet itself uses names that start with two dots. */
export function unreservedPath(path: string, value: string): Cause[] {
  const reserved = value.startsWith('..') && !value.startsWith('../')
  return [...descendingPath(path, value), ...(reserved ? [invalidValue(path, value, "must not start with '..'")] : [])]
}
