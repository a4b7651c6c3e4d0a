// Applies the children of resources with the operator framework's code, which is loaded with the first child.

import type { User } from '@homeostat/apiserver'
import type { ApiObject } from '@homeostat/client'
import type { KubeObject } from '@homeostat/meta'
import type { RunWrite } from '@homeostat/meta/events'
import type { ObjectRef } from '@homeostat/operator'
import type { ChildrenOptions, ChildrenResult } from '@homeostat/operator/children'
import type { HandlerParts } from './handling.ts'
import { COLONY_MANAGER } from './resource-status.ts'

export interface AppliedChildren extends ChildrenResult {
  /** What was written about the children. */
  readonly writes: readonly RunWrite[]
}

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
  ): Promise<AppliedChildren> {
    // Late, as below: only handlers with children need the operator framework.
    const { applyChildren, notedClient } = await import('@homeostat/operator/children')
    const writes: RunWrite[] = []
    const parts = await this.#parts(parent)
    const isColony = user === undefined || user.groups.includes(MASTERS)
    const own = isColony ? undefined : await this.#options.clientAs(user)
    const client = notedClient(own ?? parts.client, { notes: () => (write) => void writes.push(write) })
    try {
      const result = await applyChildren({ ...parts, client, ...options, children })
      return { ...result, writes }
    } finally {
      own?.close()
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
