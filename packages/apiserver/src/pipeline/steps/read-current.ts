// Reads the stored object that the write starts from.

import { notFound } from '@homeostat/meta'
import type { CachedObject } from '../../cache/cached-object.ts'
import type { ResourceType } from '../../registry/resource-type.ts'
import { readAs, withCopies } from '../../registry/versions.ts'
import type { Write } from '../write.ts'

export function requireCurrent({ type, request, current }: Write): void {
  if (current === undefined) throw notFound({ group: type.group, resource: type.resource }, request.name ?? '')
}

/** Makes a fresh copy in the request's version. */
export function readOld(write: Write): undefined | Promise<void> {
  const { current, type, registry } = write
  const read = (stored: CachedObject) => {
    write.old = readAs(stored, type, registry.fieldMemory)
  }
  if (current !== undefined && type.converter !== undefined) return readConverted(current, type, () => read(current))
  if (current === undefined) write.old = undefined
  else read(current)
  return undefined
}

async function readConverted(current: CachedObject, type: ResourceType, read: () => void): Promise<void> {
  await withCopies(type, [current], read)
}

/** Takes the cached parsed object, which no step may change; for types whose stored form is that of the request. */
export function readShared(write: Write): void {
  write.old = write.current && write.resource.read(write.current)
}
