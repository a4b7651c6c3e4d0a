// ConfigMap: strings in `data`, bytes in `binaryData`, no key in both.

import type { KubeObject } from '@homeostat/meta'
import { type Cause, invalidValue, tooLong } from '@homeostat/meta/server'
import { decodedLength, immutableErrors, keyErrors, MAX_DATA_BYTES } from './data-keys.ts'
import { fieldsOf, textOf } from './fields-of.ts'
import type { KindRules } from './schema-strategy.ts'

export const configMapRules: Partial<KindRules> = {
  validate,
  validateUpdate: (object, old) => [...immutableErrors(object, old, ['data', 'binaryData']), ...validate(object)],
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
  // The limit is on the whole object, so that Kubernetes' cause names no field.
  if (size > MAX_DATA_BYTES) causes.push(tooLong('[]', MAX_DATA_BYTES))
  return causes
}
