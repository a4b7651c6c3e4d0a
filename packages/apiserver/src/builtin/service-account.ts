// ServiceAccount: an identity for programs. Plain data here.

import { dns1123Subdomain } from '@homeostat/meta'
import { ageColumn, nameColumn } from '../table/metadata-columns.ts'
import type { BuiltinKind } from './builtin-kind.ts'
import { flag, listByKey, listOf, struct, text } from './field.ts'

/** Points at any object. */
export const objectReference = {
  ...struct({
    apiVersion: text,
    fieldPath: text,
    kind: text,
    name: text,
    namespace: text,
    resourceVersion: text,
    uid: text,
  }),
  'x-kubernetes-map-type': 'atomic',
}

export const serviceAccountKind: BuiltinKind = {
  kind: 'ServiceAccount',
  resource: 'serviceaccounts',
  namespaced: true,
  shortNames: ['sa'],
  columns: [nameColumn, ageColumn('string')],
  schema: struct({
    automountServiceAccountToken: flag,
    imagePullSecrets: listOf({ ...struct({ name: text }), 'x-kubernetes-map-type': 'atomic' }),
    secrets: listByKey(objectReference, 'name'),
  }),
  rules: { nameErrors: dns1123Subdomain, unconditionalUpdate: true, deleteReturnsObject: true },
}
