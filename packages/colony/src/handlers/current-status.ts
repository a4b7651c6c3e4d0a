// Puts the current status of a resource into the response that assigns its Process: a Process that waits again after an
// attempt was stored with the status before that attempt. It is not stored, since that would be another write per attempt.

import type { Api, CachedObject } from '@homeostat/apiserver'
import { type Process, RESOURCE_LABELS } from '@homeostat/executor/protocol'
import { deepEqual, writeJson } from '@homeostat/meta'
import { PROCESSES } from '../kinds/resources.ts'
import type { HandledKinds } from './handled-kinds.ts'
import { resourceOf } from './process-manifest.ts'

export class CurrentStatus {
  readonly #api: Pick<Api, 'get' | 'parsed'>
  readonly #kinds: Pick<HandledKinds, 'named'>

  constructor(api: Pick<Api, 'get' | 'parsed'>, kinds: Pick<HandledKinds, 'named'>) {
    this.#api = api
    this.#kinds = kinds
  }

  /** The bytes of the Process as its executor gets them; undefined where those that are stored will do. */
  inside(assigned: CachedObject): Uint8Array | undefined {
    // Processes that users submit are not parsed.
    if (!assigned.bytes.includes(RESOURCE_LABELS.uid)) return undefined
    const process = this.#api.parsed(PROCESSES, assigned) as unknown as Process | undefined
    const target = process && resourceOf(process)
    const [kind] = target ? this.#kinds.named(target.kind, target.group) : []
    const resource = kind && target && this.#api.get(kind.resource, target.name)
    if (process === undefined || resource === undefined || resource.metadata.uid !== target?.uid) return undefined
    const { status: carried, ...kwargs } = process.spec.kwargs ?? {}
    const { status } = resource
    if (deepEqual(carried, status)) return undefined
    const spec = { ...process.spec, kwargs: { ...kwargs, ...(status !== undefined && { status }) } }
    return Buffer.from(writeJson({ ...process, spec } as unknown as Parameters<typeof writeJson>[0]))
  }
}
