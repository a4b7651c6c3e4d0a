// Sets the metadata of a new object that only the server decides, such as uid and creationTimestamp, and drops values that
// a client sent for it.

import { randomUUID } from 'node:crypto'
import { failure } from '@homeostat/meta/server'
import type { Write } from '../write.ts'

export function refuseRevision({ object }: Write): void {
  const { resourceVersion } = object.metadata
  if (resourceVersion !== undefined && namesRevision(resourceVersion))
    throw failure(500, 'resourceVersion should not be set on objects to be created')
}

/** Kubernetes ignores a resourceVersion that is not a positive number. */
function namesRevision(version: string): boolean {
  return /^\d{1,20}$/.test(version) && /[1-9]/.test(version)
}

export function stamp(write: Write): void {
  const { type, request, registry, object } = write
  const sent = object.metadata
  const metadata = { ...sent, uid: randomUUID(), creationTimestamp: registry.timestamp() }
  object.metadata = metadata
  if (type.namespaced && request.namespace !== undefined) metadata.namespace = request.namespace
  for (const field of SERVER_FIELDS) if (metadata[field] !== undefined) delete metadata[field]
  if (type.strategy.generation) metadata.generation = 1
  if (!sent.name && sent.generateName) write.generateName = sent.generateName
}

const SERVER_FIELDS = [
  'resourceVersion',
  'generation',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
] as const
