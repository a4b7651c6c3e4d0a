// A reference to a Secret with listeners, like ResourceReference for other kinds.

import type { Resource } from '../resources/resource.ts'
import type { ResourceEvent } from '../resources/resource-events.ts'
import { ResourceReference } from '../resources/resource-reference.ts'
import type { SecretHandle } from './secret-handle.ts'
import type { SecretObject } from './secret-object.ts'

export class SecretReference<V> {
  readonly current: SecretHandle<V>
  readonly #reference: ResourceReference<SecretObject>

  constructor(current: SecretHandle<V>, resource: Resource<SecretObject>) {
    this.current = current
    this.#reference = new ResourceReference<SecretObject>(resource)
  }

  /** The listener gets the handle on the object, which does not expose plain values. */
  on(event: ResourceEvent, listener: (resource: Resource<SecretObject>) => unknown): this {
    this.#reference.on(event, listener)
    return this
  }

  off(event: ResourceEvent, listener: (resource: Resource<SecretObject>) => unknown): this {
    this.#reference.off(event, listener)
    return this
  }

  /** Removes all listeners. */
  close(): void {
    this.#reference.close()
  }
}
