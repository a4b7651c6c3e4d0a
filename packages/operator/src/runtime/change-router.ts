// Decides which keys a change queues: the key of the object itself, the keys whose last reconcile read it, and those
// that a watch rule names. Informers call it; it does not know what a reconcile does.

import type { Log } from '@homeostat/base'
import type { ApiObject, InformerEvent } from '@homeostat/client'
import { isSameState } from './change-worth.ts'
import type { WatchRule } from './controlled.ts'
import type { Controller } from './controller.ts'
import type { Dependencies } from './dependencies.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { LiveCluster } from './live-cluster.ts'
import { keyParts, kindKey, nameOf } from './object-key.ts'
import type { Pull } from './pull.ts'
import type { ObjectRef } from './reconcile-context.ts'
import { changedObject, ownTriggerText, readTriggerText, type Trigger } from './triggers.ts'

interface ChangeRouterOptions {
  readonly cluster: LiveCluster
  readonly dispatcher: Dispatcher
  readonly dependencies: Dependencies
  readonly fieldManager: string
  readonly log: Log
  readonly pull?: Pull | undefined
}

export class ChangeRouter {
  readonly #options: ChangeRouterOptions

  constructor(options: ChangeRouterOptions) {
    this.#options = options
  }

  /** Subscribes a controller: changes of its own objects and of those that its watch rules name queue its keys. */
  follow(controller: Controller): void {
    controller.informer?.subscribe((change) => this.#ownChange(controller, change))
    for (const rule of controller.controlled.watches ?? []) this.#watch(controller, rule)
  }

  /** Queues the keys that read a changed object. */
  objectChanged(kind: string, change: InformerEvent<ApiObject>): void {
    const { dependencies, cluster } = this.#options
    const { object, previous } = change
    const readers = dependencies.readersOf(kind, [previous, object])
    if (readers.size === 0) return
    if (previous !== undefined && change.type === 'updated' && isSameState(previous, object)) return
    const trigger = {
      text: readTriggerText(change),
      ...changedObject(object),
      manager: cluster.parts.writer(object),
    }
    for (const key of readers) this.#wake(key, trigger, change)
  }

  /** Queues the keys that read a kind before the server served it. */
  kindServed(kind: string): void {
    const text = `${kind} is served now`
    for (const key of this.#options.dependencies.readersOfMissingKind(kind)) this.#wake(key, { text })
  }

  /** Queues an object on request. */
  queue(ref: ObjectRef, text: string): void {
    const { dispatcher, pull, log } = this.#options
    const controller = dispatcher.controllerOf(kindKey(ref))
    if (controller !== undefined && pull !== undefined) pull.queue(ref, text)
    else if (controller !== undefined) dispatcher.enqueue(controller.keyOf(ref), { text })
    else log.warn({ ref }, 'nobody here controls the kind that was queued')
  }

  #ownChange(controller: Controller, change: InformerEvent<ApiObject>): void {
    const { object, initial } = change
    if (!this.#isWorthARun(controller, change)) return
    const { cluster, dispatcher } = this.#options
    const trigger = {
      text: ownTriggerText(change),
      ...changedObject(object),
      manager: cluster.parts.writer(object),
    }
    dispatcher.enqueue(controller.keyOf(nameOf(object)), trigger, initial ? 'low' : 'fresh')
  }

  #isWorthARun(controller: Controller, change: InformerEvent<ApiObject>): boolean {
    try {
      return controller.isWorthARun(change)
    } catch (error) {
      this.#options.log.error({ err: error, kind: controller.controlled.kind }, 'a predicate failed')
      return true
    }
  }

  #watch(controller: Controller, rule: WatchRule): void {
    this.#options.cluster.caches.main(rule).subscribe((change) => {
      try {
        const manager = this.#options.cluster.parts.writer(change.object)
        const trigger = { text: readTriggerText(change), ...changedObject(change.object), manager }
        const states = [change.previous, change.object].filter((state) => state !== undefined)
        const keys = new Set(states.flatMap((state) => rule.map(state).map((name) => controller.keyOf(name))))
        for (const key of keys) this.#wake(key, trigger, change)
      } catch (error) {
        this.#options.log.error({ err: error, kind: rule.kind }, 'the map of a watch failed')
      }
    })
  }

  /** A pulled key is requested from the colony. That costs more than a local reconcile, so own writes request none. */
  #wake(key: string, trigger: Omit<Trigger, 'at'>, change?: InformerEvent<ApiObject>): void {
    const { dispatcher, pull, fieldManager } = this.#options
    if (pull === undefined) {
      dispatcher.enqueue(key, trigger, change?.initial ? 'low' : 'fresh')
      return
    }
    const { kind, ...name } = keyParts(key)
    const controlled = dispatcher.controllerOf(kind)?.controlled
    const isOwnWrite = change !== undefined && change.type !== 'deleted' && trigger.manager === fieldManager
    if (controlled === undefined || change?.initial || isOwnWrite) return
    const ref = { apiVersion: controlled.apiVersion, kind: controlled.kind, ...name }
    const { uid, resourceVersion } = change?.object.metadata ?? {}
    pull.queue(ref, trigger.text, change && `${change.type}-${uid}-${resourceVersion}`)
  }
}
