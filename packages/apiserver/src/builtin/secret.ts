// Secret: bytes in base64. `stringData` is write-only and never stored. Some types require certain keys.

import { isObject, type KubeObject } from '@homeostat/meta'
import { type Cause, invalidValue, required, tooLong } from '@homeostat/meta/server'
import { decodedLength, immutableErrors, keyErrors, MAX_DATA_BYTES } from './data-keys.ts'
import { type Fields, fieldsOf, textOf } from './fields-of.ts'
import type { KindRules } from './schema-strategy.ts'

const SERVICE_ACCOUNT_NAME = 'kubernetes.io/service-account.name'

export const secretRules: Partial<KindRules> = {
  applyDefaults(object) {
    mergeStringData(object)
    if (!object.type) object.type = 'Opaque'
  },
  validate,
  validateUpdate: (object, old) => [
    ...(object.type === old.type ? [] : [invalidValue('type', object.type, 'field is immutable')]),
    ...immutableErrors(object, old, ['data']),
    ...validate(object),
  ],
}

/** `stringData` wins over `data` of the same key. Safe for every key, also `__proto__`. */
function mergeStringData(object: KubeObject): void {
  const { stringData } = object
  delete object.stringData
  if (!isObject(stringData)) return
  const merged = new Map(Object.entries(fieldsOf(object.data)))
  for (const [key, value] of Object.entries(stringData)) {
    merged.set(key, Buffer.from(textOf(value)).toString('base64'))
  }
  if (merged.size > 0) object.data = Object.fromEntries(merged)
}

function validate(object: KubeObject): Cause[] {
  const data = fieldsOf(object.data)
  const causes = keyErrors(data, 'data')
  const size = Object.values(data).reduce<number>((sum, value) => sum + decodedLength(value), 0)
  if (size > MAX_DATA_BYTES) causes.push(tooLong('data', MAX_DATA_BYTES))
  return [...causes, ...(TYPE_RULES[textOf(object.type)]?.(data, object) ?? [])]
}

const TYPE_RULES: Readonly<Record<string, (data: Fields, object: KubeObject) => Cause[]>> = {
  'kubernetes.io/service-account-token': (_, { metadata }) =>
    metadata.annotations?.[SERVICE_ACCOUNT_NAME] ? [] : [required(`metadata.annotations[${SERVICE_ACCOUNT_NAME}]`, '')],
  'kubernetes.io/dockercfg': (data) => jsonErrors(data, '.dockercfg'),
  'kubernetes.io/dockerconfigjson': (data) => jsonErrors(data, '.dockerconfigjson'),
  // Either key may be empty or missing, but not both missing.
  'kubernetes.io/basic-auth': (data) =>
    Object.hasOwn(data, 'username') || Object.hasOwn(data, 'password') ? [] : missing(data, 'username', 'password'),
  'kubernetes.io/ssh-auth': (data) => (data['ssh-privatekey'] ? [] : [required('data[ssh-privatekey]', '')]),
  'kubernetes.io/tls': (data) => missing(data, 'tls.crt', 'tls.key'),
}

function missing(data: Fields, ...keys: string[]): Cause[] {
  return keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`, ''))
}

function jsonErrors(data: Fields, key: string): Cause[] {
  if (!Object.hasOwn(data, key)) return missing(data, key)
  try {
    if (isObject(JSON.parse(Buffer.from(textOf(data[key]), 'base64').toString()))) return []
  } catch {
    // The message of the parser could quote the secret.
  }
  return [invalidValue(`data[${key}]`, '<secret contents redacted>', 'must be a JSON object')]
}
