// Turns the annotation `ownerReferences` into real owner references once the owners exist; a condition names the missing ones.

import type { Api } from '@homeostat/apiserver'
import type { Clock } from '@homeostat/base'
import { findCondition, type KubeObject, setCondition } from '@homeostat/meta'
import type { HandledKind } from './handled-kind.ts'
import type { HandledKinds } from './handled-kinds.ts'
import { OWNERS_CONDITION, type OwnersPlan, planOwners } from './owners-plan.ts'
import { changeStatus, nameOf, statusOf } from './resource-status.ts'

export class OwnerBridge {
  readonly #api: Api
  readonly #clock: Clock
  readonly #kinds: HandledKinds
  /** The kinds and names of owners that each resource waits for, by its key; and the reverse index. */
  readonly #waiting = new Map<string, readonly string[]>()
  readonly #waiters = new Map<string, Set<string>>()

  constructor({ api, clock }: { readonly api: Api; readonly clock: Clock }, kinds: HandledKinds) {
    this.#api = api
    this.#clock = clock
    this.#kinds = kinds
  }

  async bridge(key: string, kind: HandledKind, object: KubeObject): Promise<void> {
    const plan = planOwners(object, {
      kinds: (name, group) => this.#kinds.named(name, group),
      find: (owner, name) => this.#api.get(owner.resource, name),
    })
    this.#await(key, plan?.problem ? plan.awaited : [])
    if (plan && plan.add.length > 0) await this.#add(kind, object, plan)
    await this.#writeCondition(kind, object, plan)
  }

  forget(key: string): void {
    this.#await(key, [])
  }

  /** The keys of resources that wait for an owner of this name or kind. */
  waitingFor(word: string): readonly string[] {
    return [...(this.#waiters.get(word.toLowerCase()) ?? [])]
  }

  #await(key: string, words: readonly string[]): void {
    for (const word of this.#waiting.get(key) ?? []) {
      const waiters = this.#waiters.get(word)
      waiters?.delete(key)
      if (waiters?.size === 0) this.#waiters.delete(word)
    }
    if (words.length === 0) this.#waiting.delete(key)
    else this.#waiting.set(key, words)
    for (const word of words) this.#waiters.set(word, (this.#waiters.get(word) ?? new Set()).add(key))
  }

  async #add({ resource }: HandledKind, object: KubeObject, { add }: OwnersPlan): Promise<void> {
    await this.#api.change(resource, nameOf(object), ({ metadata }) => {
      if (metadata.uid !== object.metadata.uid) return
      const { ownerReferences = [] } = metadata
      const missing = add.filter(({ uid }) => !ownerReferences.some((owner) => owner.uid === uid))
      if (missing.length > 0) metadata.ownerReferences = [...ownerReferences, ...missing]
    })
  }

  /** Resources without the annotation have no such condition. */
  async #writeCondition(kind: HandledKind, object: KubeObject, plan: OwnersPlan | undefined): Promise<void> {
    const old = findCondition(statusOf(object).conditions, OWNERS_CONDITION)
    const reason = plan?.problem?.reason ?? 'Resolved'
    if (
      plan === undefined ? old === undefined : old?.reason === reason && old.message === (plan.problem?.message ?? '')
    )
      return
    await changeStatus(this.#api, kind, object, (status) => {
      if (plan === undefined) {
        return { ...status, conditions: status.conditions?.filter(({ type }) => type !== OWNERS_CONDITION) ?? [] }
      }
      const { message = '' } = plan.problem ?? {}
      const condition = { type: OWNERS_CONDITION, status: plan.problem ? 'False' : 'True', reason, message } as const
      return { ...status, conditions: setCondition(status.conditions, condition, this.#clock.now()) }
    })
  }
}
