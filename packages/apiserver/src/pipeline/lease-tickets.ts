// Tickets as Leases in kube-system, which name the server that decides. A server that needs a ticket takes it, from whoever has it; then
// the fences of the former holder's writes no longer hold. Nobody renews a ticket, so it costs writes only while it moves.

import { isStatusError, type KubeObject } from '@homeostat/meta'
import type { Fence } from '@homeostat/store'
import type { CachedObject } from '../cache/cached-object.ts'
import type { Api, ResourceName } from '../registry/api.ts'
import type { Tickets } from '../registry/tickets.ts'

const LEASES: ResourceName = { group: 'coordination.k8s.io', resource: 'leases' }
const NAMESPACE = 'kube-system'
const PREFIX = 'homeostat-ticket-'

export class LeaseTickets implements Tickets {
  readonly #api: Pick<Api, 'object' | 'parsed' | 'change' | 'create'>
  readonly #holder: string
  readonly #taking = new Map<string, Promise<Fence>>()
  /** Keys of tickets that have to be written once more, with the revision that is in doubt. */
  readonly #doubted = new Map<string, number>()

  /** `holder` names this process and no later one. */
  constructor(api: Pick<Api, 'object' | 'parsed' | 'change' | 'create'>, holder: string) {
    this.#api = api
    this.#holder = holder
  }

  async take(name: string): Promise<Fence> {
    const held = this.#held(name)
    if (held !== undefined) return held
    const taking = this.#taking.get(name) ?? this.#acquire(name).finally(() => this.#taking.delete(name))
    this.#taking.set(name, taking)
    return taking
  }

  has(fences: readonly Fence[]): boolean {
    return fences.every(({ key, revision }) => this.#doubted.get(key) !== revision)
  }

  doubt(fences: readonly Fence[]): void {
    for (const { key, revision } of fences) this.#doubted.set(key, revision)
  }

  async #acquire(name: string): Promise<Fence> {
    for (;;) {
      await this.#write(name)
      // Another server may have taken it before the cache showed that this one had it.
      const held = this.#held(name)
      if (held !== undefined) return held
    }
  }

  async #write(name: string): Promise<void> {
    const place = { namespace: NAMESPACE, name: PREFIX + name }
    const changed = await this.#api.change(LEASES, place, (lease) => {
      const { leaseTransitions } = (lease.spec ?? {}) as { leaseTransitions?: number }
      lease.spec = { holderIdentity: this.#holder, leaseTransitions: (leaseTransitions ?? 0) + 1 }
    })
    if (changed !== undefined) return
    const lease: KubeObject = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { ...place },
      spec: { holderIdentity: this.#holder, leaseTransitions: 0 },
    }
    try {
      await this.#api.create(LEASES, lease)
    } catch (error) {
      if (!isStatusError(error, 'AlreadyExists')) throw error
    }
  }

  #held(name: string): Fence | undefined {
    const object = this.#api.object(LEASES, { namespace: NAMESPACE, name: PREFIX + name })
    if (object === undefined || this.#holderOf(object) !== this.#holder) return undefined
    const { key, revision } = object
    if (this.#doubted.get(key) === revision) return undefined
    this.#doubted.delete(key)
    return { key, revision }
  }

  #holderOf(object: CachedObject): string | undefined {
    return (this.#api.parsed(LEASES, object)?.spec as { holderIdentity?: string } | undefined)?.holderIdentity
  }
}
