// Checks a reference to a key in a ConfigMap or Secret.

import { type Cause, invalidValue } from '@homeostat/meta/server'
import { textOf } from '../fields-of.ts'

export function configKey(path: string, value: unknown): Cause[] {
  const key = textOf(value)
  const causes: Cause[] = []
  if (key.length > 253) causes.push(invalidValue(path, key, 'must be no more than 253 characters'))
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) {
    causes.push(invalidValue(path, key, "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"))
  }
  if (key === '.' || key === '..') causes.push(invalidValue(path, key, `must not be '${key}'`))
  else if (key.startsWith('..')) causes.push(invalidValue(path, key, "must not start with '..'"))
  return causes
}
