// The admission policies of a server: put together here, opened when the server has its own first objects.

import type { Log } from '@homeostat/base'
import type { AdmissionStep } from '../../registry/admission-step.ts'
import type { ResourceTypes } from '../../registry/resource-types.ts'
import type { CachedObjects } from '../cached-objects.ts'
import type { ServedVersions } from '../matching/served-versions.ts'
import { ActivePolicies } from './active-policies.ts'
import { ParamObjects } from './params.ts'
import type { BindingSources } from './policy-bindings.ts'
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
  readonly sources: BindingSources
}

export function admissionPolicies({
  cached,
  types,
  versions,
  log,
  sources,
}: AdmissionPolicyOptions): AdmissionPolicies {
  let isOpen = false
  const step = policyStep({
    cached,
    policies: new ActivePolicies(cached, versions, log),
    params: new ParamObjects(cached, types),
    sources,
    isOpen: () => isOpen,
  })
  return {
    step,
    open: () => {
      isOpen = true
    },
  }
}
