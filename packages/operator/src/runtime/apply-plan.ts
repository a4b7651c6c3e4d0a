// Decides whether an apply must be sent, from the manifest and the fields that our manager owns. Pure.

import { deepEqual } from '@homeostat/meta'
import { type Absent, isKept } from './kept-form.ts'
import type { OwnedPart } from './owned-parts.ts'
import type { Manifest } from './reconcile-context.ts'
import { sentForm } from './sent-form.ts'

/** Metadata that identifies an object or that the server sets: no manager owns it. */
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

/** The fields that a manifest wants, in the form of an owned part. */
export function wantedOf(manifest: Manifest): OwnedPart {
  const { apiVersion: _, kind: __, metadata, status, ...rest } = sentForm(manifest)
  const wanted = Object.entries(metadata).filter(([name, value]) => value !== undefined && !UNOWNED.has(name))
  return {
    ...rest,
    ...(wanted.length > 0 && { metadata: Object.fromEntries(wanted) }),
    // Generated manifests carry an empty status, which means nothing.
    ...(status !== undefined && !isEmpty(status) && { status }),
  } as OwnedPart
}

/** Whether the apply would change nothing: our manager owns exactly the fields of the manifest, with these values. */
export function isAsWanted(manifest: Manifest, owned: OwnedPart = {}, absent: Absent = []): boolean {
  const wanted = wantedOf(manifest)
  const empty = OPEN_MAPS.filter((name) => isEmpty(metadataOf(wanted)[name]))
  const [ours, theirs] = [without(empty, wanted), without(empty, owned)]
  return deepEqual(ours, theirs) || (isBuiltIn(manifest) && isKept(ours, theirs, absent))
}

/** Only built-in kinds are stored in another form than sent; custom kinds keep what was sent. */
function isBuiltIn({ apiVersion }: Manifest): boolean {
  const [group = '', version] = apiVersion.split('/')
  return version === undefined || !group.includes('.') || group.endsWith('.k8s.io')
}

/**
 * Applying an empty map owns the map but not the entries, which belong to others; the field set does not show the
 * difference.
 */
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
