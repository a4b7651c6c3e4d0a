// Applies the children of resources with the operator framework's code, which is loaded with the first child.

import type { User } from '@homeostat/apiserver'
import type { ApiObject } from '@homeostat/client'
import type { KubeObject } from '@homeostat/meta'
import type { ObjectRef } from '@homeostat/operator'
import type { ChildrenOptions, ChildrenResult } from '@homeostat/operator/children'
import type { HandlerParts } from './handling.ts'
import { COLONY_MANAGER } from './resource-status.ts'

export type { ChildrenResult }

export class ResourceChildren {
  readonly #options: Pick<HandlerParts, 'client' | 'clientAs' | 'signal'>

  constructor(options: Pick<HandlerParts, 'client' | 'clientAs' | 'signal'>) {
    this.#options = options
  }

  /** With the rights of the user who reports the children, or the colony's own. The administrator needs no other client. */
  async apply(
    parent: KubeObject,
    children: readonly ApiObject[],
    options: Pick<ChildrenOptions, 'record' | 'prune'>,
    user?: User,
  ): Promise<ChildrenResult> {
    // Late, as below: only handlers with children need the operator framework.
    const { applyChildren } = await import('@homeostat/operator/children')
    if (user === undefined || user.groups.includes(MASTERS))
      return applyChildren({ ...(await this.#parts(parent)), ...options, children })
    const client = await this.#options.clientAs(user)
    try {
      return await applyChildren({ ...(await this.#parts(parent)), client, ...options, children })
    } finally {
      client.close()
    }
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
      client: await this.#options.client(),
      fieldManager: COLONY_MANAGER,
      signal: this.#options.signal,
      parent: parent as ApiObject,
    }
  }
}

const MASTERS = 'system:masters'
