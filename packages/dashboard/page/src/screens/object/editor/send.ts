// What the editor sends: the fields that somebody changed and nothing else, on condition that the object is still what they saw.

import { isStatusError } from '@homeostat/meta'
import { client } from '../../../connection/client.ts'
import { apiVersionOf, type Kind, type ObjectName } from '../../../kinds/kind.ts'
import type { LiveObject } from '../../../live/object.ts'
import { type Change, mergePatch } from './changes.ts'

const MANAGER = 'homeostat-dashboard'

export interface SendOptions {
  /** Refused when the object has another one meanwhile. */
  readonly revision?: string
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
}

export function sendPatch(
  kind: Kind,
  { namespace, name }: ObjectName,
  changes: readonly Change[],
  { revision, dryRun = false, signal }: SendOptions,
): Promise<LiveObject> {
  const condition =
    revision === undefined ? [] : [{ path: ['metadata', 'resourceVersion'], before: '', after: revision }]
  return client
    .resourceOf<LiveObject>(apiVersionOf(kind), kind.kind)
    .patch({ name, ...(namespace && { namespace }) }, mergePatch([...changes, ...condition]), {
      fieldManager: MANAGER,
      fieldValidation: 'Strict',
      dryRun,
      signal,
    })
}

/** What is there now, when the failure is that somebody else was faster; undefined for other failures. */
export async function findLive(
  kind: Kind,
  { namespace, name }: ObjectName,
  error: Error,
): Promise<LiveObject | undefined> {
  if (!isStatusError(error, 'Conflict')) return undefined
  const target = { name, ...(namespace && { namespace }) }
  return client.resourceOf<LiveObject>(apiVersionOf(kind), kind.kind).find(target)
}
