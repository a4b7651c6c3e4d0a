// A Secret that exists and whose values fit the schema. The values are behind a getter of a private field, so that a
// log line or an error that includes this object does not show them.

import { hasBrand } from '@homeostat/base'
import { digestValues, type SecretValues } from './secret-values.ts'

const BRAND = Symbol.for('homeostat.operator.ensured-secret')

export class EnsuredSecret<V> {
  readonly [BRAND] = true
  readonly name: string
  readonly namespace: string
  /** Whether something was written. */
  readonly changed: boolean
  /**
   * Changes with the values and reveals nothing of them: put it into a pod's annotations to roll the pod when they
   * change.
   */
  readonly digest: string
  readonly #value: V

  constructor(
    secret: { readonly name: string; readonly namespace: string; readonly uid: string; readonly changed: boolean },
    value: V,
    text: SecretValues,
  ) {
    this.name = secret.name
    this.namespace = secret.namespace
    this.changed = secret.changed
    this.digest = digestValues(text, secret.uid)
    this.#value = value
  }

  get value(): V {
    return this.#value
  }
}

/** By a brand, not by its class: a library that an author uses may bring its own copy of this package. */
export function isEnsuredSecret(value: unknown): value is EnsuredSecret<unknown> {
  return hasBrand(value, BRAND)
}
