// Whether an apply has to be sent, as a pure question about the manifest and what our manager owns already.

import { deepEqual } from '@homeostat/meta'
import type { OwnedPart } from './owned-parts.ts'
import type { Manifest } from './run.ts'

/** What a manifest wants of the object, without what names it: the form in which ownership is told. */
export function wantedOf(manifest: Manifest): OwnedPart {
  const { apiVersion: _, kind: __, metadata, ...rest } = manifest
  const { name: ___, namespace: ____, uid: _____, resourceVersion: ______, ...wanted } = metadata
  return isBlank(wanted) ? rest : ({ ...rest, metadata: wanted } as OwnedPart)
}

/** Whether the object is as it would be after the apply: all that we want, and nothing else, is ours. */
export function isAsWanted(manifest: Manifest, owned: OwnedPart | undefined): boolean {
  return deepEqual(wantedOf(manifest), owned ?? {})
}

function isBlank(fields: object): boolean {
  return Object.values(fields).every((value) => value === undefined)
}
