// Server-side apply: merges a configuration into the stored object, or creates a new one.

import { yieldBetween } from '@homeostat/base'
import { badRequest, conflict, type KubeObject } from '@homeostat/meta'
import { applyConfiguration, applySteps } from '@homeostat/meta/merge'
import type { JsonRead } from '@homeostat/meta/server'
import { bodyOf, reportStrict } from '../../registry/decode-object.ts'
import { fieldWrite, versionedTypes } from '../../registry/field-tracking.ts'
import { withoutSecrets } from '../../registry/redact.ts'
import { withReplicasOwned } from '../../registry/scale-fields.ts'
import { customProblems } from '../../registry/strict-problems.ts'
import type { Step } from '../write.ts'

export interface Configuration {
  readonly config: KubeObject
  /** Takes over fields that other managers own. */
  readonly force: boolean
  /** Duplicate fields that the reader found in the configuration. */
  readonly repeated?: Pick<JsonRead, 'duplicates' | 'repeatedLines'>
}

export const checkConfiguration: Step<Configuration> = ({ type, request, input }) => {
  const { name, namespace } = input.config.metadata
  if (name !== undefined && name !== '' && name !== request.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${request.name})`)
  if (type.namespaced && namespace && namespace !== request.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
}

/** Refuses a configuration with a uid when no object exists: a uid can only name an existing object. */
export const refuseUnknownUid: Step<Configuration> = ({ type, request, input }) => {
  const { uid } = input.config.metadata
  if (!uid) return
  throw conflict(
    { group: type.group, resource: type.resource },
    request.name ?? '',
    `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
  )
}

/** Merges the configuration into the stored object and sets managed fields. Yields `old` itself when nothing changes. */
export const mergeConfiguration: Step<Configuration> = async (write) => {
  const { registry, request, type, old, input } = write
  const by = { ...fieldWrite(registry, request), force: input.force }
  const types = versionedTypes(registry, type)
  const live = old && request.subresource === 'scale' ? withReplicasOwned(registry, type, old) : old
  write.keepsFields = true
  try {
    write.object = write.isLarge
      ? await yieldBetween(applySteps(live, input.config, by, types))
      : applyConfiguration(live, input.config, by, types)
  } catch (error) {
    throw withoutSecrets(type, error)
  }
  const { duplicates = [], repeatedLines } = input.repeated ?? {}
  // Unknown fields have been refused by now; Kubernetes reports them before duplicates.
  reportStrict(customProblems([], duplicates), request, repeatedLines)
}

/** Copies the merged object: the kind's rules may change it in place, so it must share nothing with the old one. */
export const copyMerged: Step = (write) => {
  write.body = bodyOf(write.object)
}
