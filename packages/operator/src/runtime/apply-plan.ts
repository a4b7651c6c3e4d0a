// Whether an apply has to be sent, as a pure question about the manifest and what our manager owns already.

import { deepEqual } from '@homeostat/meta'
import { type Absent, isKept } from './kept-form.ts'
import type { OwnedPart } from './owned-parts.ts'
import type { Manifest } from './run.ts'
import { sentForm } from './sent-form.ts'

/** What names an object or is the server's own: nobody owns it. */
const UNOWNED: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'selfLink',
])

/** What a manifest wants of the object, in the form in which ownership is told. */
export function wantedOf(manifest: Manifest): OwnedPart {
  const { apiVersion: _, kind: __, metadata, status, ...rest } = sentForm(manifest)
  const wanted = Object.entries(metadata).filter(([name, value]) => value !== undefined && !UNOWNED.has(name))
  return {
    ...rest,
    ...(wanted.length > 0 && { metadata: Object.fromEntries(wanted) }),
    // Generated manifests have an empty one, which says nothing.
    ...(status !== undefined && !isEmpty(status) && { status }),
  } as OwnedPart
}

/** Whether the object is as it would be after the apply: all that we want, and nothing else, is ours. */
export function isAsWanted(manifest: Manifest, owned: OwnedPart = {}, absent: Absent = []): boolean {
  const wanted = wantedOf(manifest)
  const empty = OPEN_MAPS.filter((name) => isEmpty(metadataOf(wanted)[name]))
  const [ours, theirs] = [without(empty, wanted), without(empty, owned)]
  return deepEqual(ours, theirs) || (isBuiltIn(manifest) && isKept(ours, theirs, absent))
}

/** Objects of other kinds are kept as they were sent. */
function isBuiltIn({ apiVersion }: Manifest): boolean {
  const [group = '', version] = apiVersion.split('/')
  return version === undefined || !group.includes('.') || group.endsWith('.k8s.io')
}

/** Whoever applies them empty owns the map alone; what is in it is others', which the set of fields does not say. */
const OPEN_MAPS = ['labels', 'annotations']

function without(names: readonly string[], part: OwnedPart): OwnedPart {
  if (names.length === 0) return part
  const metadata = Object.entries(metadataOf(part)).filter(([name]) => !names.includes(name))
  return { ...part, metadata: metadata.length === 0 ? undefined : Object.fromEntries(metadata) } as OwnedPart
}

function metadataOf({ metadata = {} }: OwnedPart): Readonly<Record<string, unknown>> {
  return metadata as Readonly<Record<string, unknown>>
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every((field) => field === undefined)
}
