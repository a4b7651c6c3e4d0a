// Reads the stored object that the write starts from.

import { notFound } from '@homeostat/meta'
import { readAs } from '../../registry/versions.ts'
import type { Write } from '../write.ts'

export function requireCurrent({ type, request, current }: Write): void {
  if (current === undefined) throw notFound({ group: type.group, resource: type.resource }, request.name ?? '')
}

/** Makes a fresh copy in the request's version. */
export function readOld(write: Write): void {
  write.old = write.current && readAs(write.current, write.type, write.registry.fieldMemory)
}

/** Takes the cached parsed object, which no step may change; for types whose stored form is that of the request. */
export function readShared(write: Write): void {
  write.old = write.current && write.resource.read(write.current)
}
