// Holds a handle, with listeners that stay when the handle is replaced. Authors keep it in a field; one that the
// constructor creates is closed with its instance.

import type { ApiObject, LooseObject } from '@homeostat/client'
import { shownRef } from '../runtime/object-key.ts'
import { Listeners } from './listeners.ts'
import type { Resource } from './resource.ts'
import type { ResourceEvent } from './resource-events.ts'
import { currentScope, type Scope } from './scope.ts'

/** The common part of handles of all kinds. */
type AnyHandle = Pick<Resource, 'apiVersion' | 'kind' | 'name' | 'namespace' | 'exists' | 'ref' | 'delete' | 'watch'>

/** A reference without a type argument takes a handle of any kind. */
type Handle<T extends ApiObject> = LooseObject extends T ? AnyHandle : Resource<T>

export class ResourceReference<T extends ApiObject = LooseObject> {
  readonly #listeners = new Listeners<ResourceEvent, Resource<T>>()
  readonly #scope: Scope | undefined
  #current: Resource<T> | undefined
  #unwatch: (() => void) | undefined
  #letGo: (() => void) | undefined

  constructor(current?: Resource<T>) {
    this.#scope = currentScope()
    this.#current = current
  }

  get current(): Resource<T> | undefined {
    return this.#current
  }

  /** Listeners move to the new handle. They get `replaced` and `changed` when it is another object. */
  set current(handle: Handle<T> | undefined) {
    const next = handle as Resource<T> | undefined
    const before = this.#current
    if (next === before) return
    this.#current = next
    this.#stop()
    this.#start()
    const current = next ?? before
    if (before && current) this.#notify(['replaced', 'changed'], current)
  }

  on(event: ResourceEvent, listener: (resource: Resource<T>) => unknown): this {
    this.#listeners.add(event, listener)
    this.#start()
    return this
  }

  off(event: ResourceEvent, listener: (resource: Resource<T>) => unknown): this {
    this.#listeners.remove(event, listener)
    if (this.#listeners.size === 0) this.#stop()
    return this
  }

  /** Removes all listeners. Safe to call twice. */
  close(): void {
    this.#listeners.clear()
    this.#stop()
  }

  #start(): void {
    const watched = this.#current
    if (!watched || this.#unwatch || this.#listeners.size === 0) return
    this.#unwatch = watched.watch((events) => this.#notify(events, watched))
    this.#letGo = this.#scope?.hold(this)
  }

  #stop(): void {
    this.#unwatch?.()
    this.#letGo?.()
    this.#unwatch = undefined
    this.#letGo = undefined
  }

  #notify(events: readonly ResourceEvent[], resource: Resource<T>): void {
    for (const event of events) {
      this.#listeners.emit(event, resource, (error) =>
        resource.log.error({ error, event, object: shownRef(resource) }, 'a listener for changes failed'),
      )
    }
  }
}
