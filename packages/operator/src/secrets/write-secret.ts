// The only way to write Secrets: read from the server, write with that resourceVersion, and retry on a conflict. A
// cache that lacks a value is never trusted: it may be filtered, stale or lost.

import { conflict, isStatusError } from '@homeostat/meta'
import { shownRef } from '../runtime/object-key.ts'
import { waiting } from '../runtime/outcome.ts'
import {
  newSecret,
  type SecretCluster,
  type SecretName,
  type SecretObject,
  type SecretTraits,
  secretAccess,
  secretRef,
} from './secret-object.ts'
import { encodeValues, type SecretValues } from './secret-values.ts'

const TRIES = 5

/** Returns the values to write; undefined when nothing is missing. Called again after a conflict. */
export type Decide = (live: SecretObject | undefined) => Promise<SecretValues | undefined>

export interface WrittenSecret {
  readonly secret: SecretObject
  readonly changed: boolean
}

export async function writeSecret(
  cluster: SecretCluster,
  name: SecretName,
  decide: Decide,
  options: SecretTraits & { readonly signal?: AbortSignal | undefined } = {},
): Promise<WrittenSecret> {
  const { signal } = options
  const access = secretAccess(cluster)
  const writing = { fieldManager: cluster.fieldManager, signal }
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const live = await access.find(name, { signal })
    const values = await decide(live)
    if (values === undefined && live) return { secret: live, changed: false }
    refuseWhileDeleted(live)
    const { uid, resourceVersion } = live?.metadata ?? {}
    const patch = { metadata: { uid, resourceVersion }, data: encodeValues(values ?? {}) }
    try {
      const secret = live
        ? await access.patch(name, patch, writing)
        : await access.create(newSecret(name, values ?? {}, options), writing)
      cluster.wrote(secret)
      return { secret, changed: true }
    } catch (error) {
      if (!isRace(error, live !== undefined)) throw error
    }
  }
  throw conflict(
    { resource: 'secrets' },
    name.name,
    `others changed it during each of ${TRIES} tries to write ${shownRef(secretRef(name))}`,
  )
}

/**
 * Whether another writer created, changed or deleted the Secret since it was read. If there was none, NotFound means
 * the namespace.
 */
function isRace(error: unknown, wasThere: boolean): boolean {
  if (isStatusError(error, 'AlreadyExists')) return true
  return wasThere && (isStatusError(error, 'Conflict') || isStatusError(error, 'NotFound'))
}

function refuseWhileDeleted(live: SecretObject | undefined): void {
  if (live?.metadata.deletionTimestamp === undefined) return
  const { name = '', namespace } = live.metadata
  const shown = shownRef({ kind: 'Secret', name, namespace })
  throw waiting('SecretBeingDeleted', `${shown} is being deleted; a new one is made when it is gone`)
}
