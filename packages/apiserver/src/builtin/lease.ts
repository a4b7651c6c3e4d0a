// Lease: who holds something and since when. Leader election writes it many times a minute.

import { isObject, type KubeObject } from '@homeostat/meta'
import { type Cause, invalidValue } from '@homeostat/meta/server'
import { fieldsOf } from './fields-of.ts'
import type { KindRules } from './schema-strategy.ts'

export const leaseRules: Partial<KindRules> = {
  prepareForCreate: dropCoordination,
  prepareForUpdate: dropCoordination,
  validate,
}

/** Kubernetes drops these fields, because coordinated leader election is off by default. */
function dropCoordination(object: KubeObject): void {
  if (!isObject(object.spec)) return
  delete object.spec.strategy
  delete object.spec.preferredHolder
}

function validate(object: KubeObject): Cause[] {
  const { leaseDurationSeconds, leaseTransitions } = fieldsOf(object.spec)
  const causes: Cause[] = []
  if (typeof leaseDurationSeconds === 'number' && leaseDurationSeconds <= 0) {
    causes.push(invalidValue('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0'))
  }
  if (typeof leaseTransitions === 'number' && leaseTransitions < 0) {
    causes.push(invalidValue('spec.leaseTransitions', leaseTransitions, 'must be greater than or equal to 0'))
  }
  return causes
}
