// The admission policies of a server: put together here, opened when the server has its own first objects.

import type { Log } from '@homeostat/base'
import type { Authorize } from '@homeostat/cel'
import type { KubeObject } from '@homeostat/meta'
import type { CachedObject } from '../../cache/cached-object.ts'
import type { User } from '../../identity/user.ts'
import type { AdmissionStep } from '../../registry/admission-step.ts'
import type { ResourceTypes } from '../../registry/resource-types.ts'
import type { CachedObjects } from '../cached-objects.ts'
import type { ServedVersions } from '../matching/served-versions.ts'
import { ActivePolicies } from './active-policies.ts'
import { ParamObjects } from './params.ts'
import { policyStep } from './policy-step.ts'

export interface AdmissionPolicies {
  readonly step: AdmissionStep
  /** From now on writes are judged. */
  open(): void
}

export interface AdmissionPolicyOptions {
  readonly cached: CachedObjects
  readonly types: ResourceTypes
  readonly versions: ServedVersions
  readonly log: Log
  authorizeAs(user: User): Authorize
}

export function admissionPolicies({
  cached,
  types,
  versions,
  log,
  authorizeAs,
}: AdmissionPolicyOptions): AdmissionPolicies {
  let isOpen = false
  const namespaces = new WeakMap<CachedObject, KubeObject>()
  const step = policyStep({
    cached,
    policies: new ActivePolicies(cached, versions, log),
    params: new ParamObjects(cached, types),
    sources: {
      authorizeAs,
      /** Read once while the namespace stays as it is. */
      namespace(name) {
        const stored = cached.resource('core/namespaces').tree.get(name)
        const known = stored && namespaces.get(stored)
        if (known !== undefined) return known
        const read = cached.parse(stored)
        if (stored !== undefined && read !== undefined) namespaces.set(stored, read)
        return read
      },
    },
    isOpen: () => isOpen,
  })
  return {
    step,
    open: () => {
      isOpen = true
    },
  }
}
