// What is stored, as the object that a change begins with.

import { notFound } from '@homeostat/meta'
import { readAs } from '../../registry/versions.ts'
import type { Write } from '../write.ts'

export function requireCurrent({ type, request, current }: Write): void {
  if (current === undefined) throw notFound({ group: type.group, resource: type.resource }, request.name ?? '')
}

/** A copy of its own, in the request's version. */
export function readOld(write: Write): void {
  write.old = write.current && readAs(write.current, write.type, write.registry.fieldMemory)
}

/** What was parsed when it was written, not to be changed: for kinds whose stored form is what the request shows. */
export function readShared(write: Write): void {
  write.old = write.current && write.resource.read(write.current)
}
