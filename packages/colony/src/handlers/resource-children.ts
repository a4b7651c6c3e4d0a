// Applies the children of resources with the operator framework's code, which is loaded with the first child.

import type { ApiObject, Client } from '@homeostat/client'
import type { KubeObject } from '@homeostat/meta'
import type { ObjectRef } from '@homeostat/operator'
import type { ChildrenOptions, ChildrenResult } from '@homeostat/operator/children'
import { COLONY_MANAGER } from './resource-status.ts'

export type { ChildrenResult }

export class ResourceChildren {
  readonly #client: () => Promise<Client>
  readonly #signal: AbortSignal

  constructor(client: () => Promise<Client>, signal: AbortSignal) {
    this.#client = client
    this.#signal = signal
  }

  async apply(
    parent: KubeObject,
    children: readonly ApiObject[],
    options: Pick<ChildrenOptions, 'record' | 'prune'>,
  ): Promise<ChildrenResult> {
    const { applyChildren } = await import('@homeostat/operator/children')
    return applyChildren({ ...(await this.#parts(parent)), ...options, children })
  }

  /** Deletes the children in other namespaces, which the garbage collector does not delete. */
  async removeForeign(parent: KubeObject): Promise<void> {
    const { inventory } = (parent.status ?? {}) as { inventory?: readonly ObjectRef[] }
    if (!Array.isArray(inventory) || inventory.every(({ namespace }) => namespace === parent.metadata.namespace)) return
    const { removeForeignChildren } = await import('@homeostat/operator/children')
    await removeForeignChildren(await this.#parts(parent))
  }

  async #parts(parent: KubeObject) {
    return {
      client: await this.#client(),
      fieldManager: COLONY_MANAGER,
      signal: this.#signal,
      parent: parent as ApiObject,
    }
  }
}
