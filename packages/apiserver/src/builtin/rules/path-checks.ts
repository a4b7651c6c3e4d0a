// Paths in volumes and containers: none may climb out of where it starts.

import { type Cause, invalidValue } from '@homeostat/meta'

export function noBacksteps(path: string, value: string): Cause[] {
  return value.split('/').includes('..') ? [invalidValue(path, value, "must not contain '..'")] : []
}

/** Relative, and does not climb. */
export function descendingPath(path: string, value: string): Cause[] {
  return [
    ...(value.startsWith('/') ? [invalidValue(path, value, 'must be a relative path')] : []),
    ...noBacksteps(path, value),
  ]
}

/** Names that start with two dots are what the kubelet itself writes. */
export function unreservedPath(path: string, value: string): Cause[] {
  const reserved = value.startsWith('..') && !value.startsWith('../')
  return [...descendingPath(path, value), ...(reserved ? [invalidValue(path, value, "must not start with '..'")] : [])]
}
