// Queues a key when objects that it waits for are deleted. Holds one subscription per resource, only while a key waits.

import type { ApiFollows, KeyEvent, ResourceName } from '../registry/api.ts'

export class ContentWatch {
  readonly #api: ApiFollows
  readonly #wake: (key: string) => void
  readonly #watched = new Map<string, Watched>()

  constructor(api: ApiFollows, wake: (key: string) => void) {
    this.#api = api
    this.#wake = wake
  }

  /** From now on, deletions of these resources (in the namespace, if given) queue the key. Replaces its earlier set. */
  await(key: string, resources: readonly ResourceName[], namespace?: string): void {
    const wanted = new Set(resources.map(pathOf))
    for (const [path, watched] of this.#watched) if (!wanted.has(path)) this.#leave(path, watched, key)
    for (const resource of resources) this.#join(resource, key, namespace)
  }

  forget(key: string): void {
    this.await(key, [])
  }

  close(): void {
    for (const { stop } of this.#watched.values()) stop()
    this.#watched.clear()
  }

  #join(resource: ResourceName, key: string, namespace: string | undefined): void {
    const known = this.#watched.get(pathOf(resource))
    if (known) {
      known.waiting.set(key, namespace)
      return
    }
    const waiting = new Map([[key, namespace]])
    const stop = this.#api.subscribe(resource, (event) => this.#changed(waiting, event))
    this.#watched.set(pathOf(resource), { waiting, stop })
  }

  #leave(path: string, watched: Watched, key: string): void {
    watched.waiting.delete(key)
    if (watched.waiting.size > 0) return
    watched.stop()
    this.#watched.delete(path)
  }

  #changed(waiting: Watched['waiting'], event: KeyEvent): void {
    if (!event.deleted) return
    for (const [key, namespace] of waiting) {
      if (namespace === undefined || namespace === event.namespace) this.#wake(key)
    }
  }
}

interface Watched {
  /** The waiting keys, each with the namespace that it waits for. */
  readonly waiting: Map<string, string | undefined>
  stop(): void
}

function pathOf({ group, resource }: ResourceName): string {
  return `${group}/${resource}`
}
