// ConfigMap: text in `data`, bytes in `binaryData`, no key in both.

import { type Cause, dns1123Subdomain, invalidValue, type KubeObject, tooLong } from '@homeostat/meta'
import { ageColumn, nameColumn } from '../table/metadata-columns.ts'
import type { BuiltinKind } from './builtin-kind.ts'
import { column } from './column.ts'
import { decodedLength, immutableErrors, keyErrors, MAX_DATA_BYTES } from './data-keys.ts'
import { bytes, flag, mapOf, requiredText, struct } from './field.ts'
import { fieldsOf, textOf } from './fields-of.ts'

export const configMapKind: BuiltinKind = {
  kind: 'ConfigMap',
  resource: 'configmaps',
  namespaced: true,
  shortNames: ['cm'],
  columns: [
    nameColumn,
    column('Data', 'How many keys it holds.', (object) => {
      return Object.keys(fieldsOf(object.data)).length + Object.keys(fieldsOf(object.binaryData)).length
    }),
    ageColumn('string'),
  ],
  schema: struct({ data: mapOf(requiredText), binaryData: mapOf(bytes), immutable: flag }),
  rules: {
    nameErrors: dns1123Subdomain,
    unconditionalUpdate: true,
    validate,
    validateUpdate: (object, old) => [...immutableErrors(object, old, ['data', 'binaryData']), ...validate(object)],
  },
}

function validate(object: KubeObject): Cause[] {
  const data = fieldsOf(object.data)
  const binary = fieldsOf(object.binaryData)
  const causes = [...keyErrors(data, 'data'), ...keyErrors(binary, 'binaryData')]
  for (const key of Object.keys(data)) {
    if (Object.hasOwn(binary, key)) {
      causes.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'))
    }
  }
  let size = 0
  for (const value of Object.values(data)) size += Buffer.byteLength(textOf(value))
  for (const value of Object.values(binary)) size += decodedLength(value)
  // The whole object is too long: Kubernetes names no field.
  if (size > MAX_DATA_BYTES) causes.push(tooLong('[]', MAX_DATA_BYTES))
  return causes
}
