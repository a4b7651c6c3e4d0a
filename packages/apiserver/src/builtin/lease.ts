// Lease: who holds something and since when. Leader election writes it many times a minute.

import { type Cause, dns1123Subdomain, invalidValue, type KubeObject } from '@homeostat/meta'
import { ageColumn, nameColumn } from '../table/metadata-columns.ts'
import type { BuiltinKind } from './builtin-kind.ts'
import { column } from './column.ts'
import { embedded, int32, microTime, struct, text } from './field.ts'
import { fieldsOf, isFields, textOf } from './fields-of.ts'

export const leaseKind: BuiltinKind = {
  group: 'coordination.k8s.io',
  kind: 'Lease',
  resource: 'leases',
  namespaced: true,
  columns: [
    nameColumn,
    column('Holder', 'Who holds it; empty when nobody does.', (object) => textOf(fieldsOf(object.spec).holderIdentity)),
    ageColumn('string'),
  ],
  schema: struct({
    spec: embedded(
      struct({
        acquireTime: microTime,
        holderIdentity: text,
        leaseDurationSeconds: int32,
        leaseTransitions: int32,
        preferredHolder: text,
        renewTime: microTime,
        strategy: text,
      }),
    ),
  }),
  rules: {
    nameErrors: dns1123Subdomain,
    createOnUpdate: true,
    prepareForCreate: dropCoordination,
    prepareForUpdate: dropCoordination,
    validate,
  },
}

/** Coordinated leader election is off by default in Kubernetes, and its fields are then dropped. */
function dropCoordination(object: KubeObject): void {
  if (!isFields(object.spec)) return
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
