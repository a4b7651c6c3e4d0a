// The one way that Secrets are written: a live read, then a write that fails when somebody else was quicker, then all
// over again. A cache is never believed when it says that something is not there: it may be filtered, late or lost.

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

/** The values to write; undefined when the Secret is as it should be. Called again after a lost race. */
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

/** Another has created, changed or deleted it since it was read. Where none was, it is the namespace that is not found. */
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
