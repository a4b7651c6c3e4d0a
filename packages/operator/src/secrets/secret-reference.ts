// A reference to a Secret that can be listened to, as ResourceReference is for other kinds.

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

  /** The listener gets the handle on the object, which has no plain values. */
  on(event: ResourceEvent, listener: (resource: Resource<SecretObject>) => unknown): this {
    this.#reference.on(event, listener)
    return this
  }

  off(event: ResourceEvent, listener: (resource: Resource<SecretObject>) => unknown): this {
    this.#reference.off(event, listener)
    return this
  }

  /** Forgets all listeners. */
  close(): void {
    this.#reference.close()
  }
}
