// A Secret that is there and whose values fit. The values are behind a getter of a private field, so that neither a log
// line nor an error that has this object in it shows them.

import { digestValues, type SecretValues } from './secret-values.ts'

export class EnsuredSecret<V> {
  readonly name: string
  readonly namespace: string
  /** Something was written. */
  readonly changed: boolean
  /** Changes with the values and tells nothing of them: put it into the annotations of a pod to roll it with them. */
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
