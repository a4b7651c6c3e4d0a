// Completes the manifest for a handle's object: fills in what the author left out, and refuses what contradicts the
// handle.

import { writeJson } from '@homeostat/meta'
import { shownRef } from '../runtime/object-key.ts'
import type { Manifest, ObjectRef } from '../runtime/reconcile-context.ts'
import { encodeSecretText } from '../runtime/secret-text.ts'

export interface PartialManifest {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata?: { readonly name?: string; readonly namespace?: string | undefined }
}

export function manifestFor(ref: ObjectRef, body: PartialManifest): Manifest {
  const { apiVersion, kind, metadata = {} } = body
  refuse(ref, 'apiVersion', apiVersion, ref.apiVersion)
  refuse(ref, 'kind', kind, ref.kind)
  refuse(ref, 'metadata.name', metadata.name, ref.name)
  refuse(ref, 'metadata.namespace', metadata.namespace, ref.namespace)
  const place = ref.namespace === undefined ? {} : { namespace: ref.namespace }
  return encodeSecretText({
    ...body,
    apiVersion: ref.apiVersion,
    kind: ref.kind,
    metadata: { ...metadata, name: ref.name, ...place },
  })
}

function refuse(ref: ObjectRef, field: string, given: string | undefined, known: string | undefined): void {
  if (given === undefined || given === known) return
  throw new Error(
    `The manifest has ${field} ${writeJson(given)}, but the handle is for ${shownRef(ref)} of ${ref.apiVersion}: ` +
      'get a handle for the object that is to be written',
  )
}
