// Writes the status of a reconcile by one server-side apply, which is skipped when nothing changed.

import type { ApiObject, Sent } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import type { Observer } from './companions.ts'
import type { LiveCluster } from './live-cluster.ts'
import type { OwnedParts } from './owned-parts.ts'
import { StatusDraft, type StatusFields } from './status-draft.ts'
import type { StatusShape } from './status-shape.ts'

interface StatusWriterOptions {
  readonly cluster: LiveCluster
  readonly parts: OwnedParts
  readonly shape: StatusShape
  readonly apiVersion: string
  readonly kind: string
  readonly observer?: Observer | undefined
}

export class StatusWriter {
  readonly #options: StatusWriterOptions

  constructor(options: StatusWriterOptions) {
    this.#options = options
  }

  draft(object: ApiObject): StatusDraft {
    const { cluster, shape } = this.#options
    return new StatusDraft({
      owned: this.#owned(object),
      live: statusOf(object),
      generation: object.metadata.generation,
      shape,
      now: () => cluster.clock.now(),
    })
  }

  /** Returns whether something was sent. An object that is gone, or has another uid by now, needs no status. */
  async write(object: ApiObject, draft: StatusDraft, signal: AbortSignal): Promise<boolean> {
    const { cluster, parts, observer, kind } = this.#options
    if (!draft.differs) return false
    const { wanted } = draft
    const id = `${object.metadata.uid ?? ''}/status`
    if (cluster.sent.holds(id, wanted, this.#owned(object))) return false
    try {
      const answer = await this.#send(object, wanted, signal)
      observer?.wrote?.(kind, 'sent')
      cluster.sent.record(id, wanted, this.#owned(parts.keep(answer)))
      cluster.wrote(answer)
      return true
    } catch (error) {
      observer?.wrote?.(kind, 'failed')
      if (isStatusError(error, 'NotFound') || isStatusError(error, 'Conflict')) return false
      throw error
    }
  }

  async #send(object: ApiObject, status: StatusFields, signal: AbortSignal): Promise<ApiObject> {
    const { cluster, parts, apiVersion, kind } = this.#options
    const access = cluster.client.resourceOf<ApiObject>(apiVersion, kind)
    const { name, namespace, uid } = object.metadata
    const identity = { apiVersion, kind, metadata: { name, namespace, uid } }
    const options = { fieldManager: cluster.fieldManager, force: true, signal }
    const { subresources } = await access.info(signal)
    if (subresources.includes('status')) {
      return access.status.apply({ ...identity, status } as unknown as Sent<ApiObject>, options)
    }
    // Apply the other owned fields as well: leaving them out would give up their ownership.
    const own = parts.main(object)
    const metadata = { ...own?.metadata, ...identity.metadata }
    return access.apply({ ...own, ...identity, metadata, status } as unknown as Sent<ApiObject>, options)
  }

  #owned(object: ApiObject): StatusFields {
    const { parts } = this.#options
    return statusOf(parts.status(object) ?? parts.main(object))
  }
}

function statusOf(object: object | undefined): StatusFields {
  return (object as { status?: StatusFields } | undefined)?.status ?? {}
}
