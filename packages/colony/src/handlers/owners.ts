// Turns owners in the form of the documents into real ones, as soon as these are there, and says what is missing.

import type { Api } from '@homeostat/apiserver'
import { findCondition, type KubeObject, setCondition } from '@homeostat/meta'
import type { Clock } from '@homeostat/queue'
import type { HandledKind } from './handled-kind.ts'
import type { HandledKinds } from './handled-kinds.ts'
import { OWNERS_ANNOTATION, OWNERS_CONDITION, type OwnersPlan, planOwners } from './owners-plan.ts'
import { changeStatus, nameOf, statusOf } from './resource-status.ts'

export class OwnerBridge {
  readonly #api: Api
  readonly #clock: Clock
  readonly #kinds: HandledKinds
  /** Keys of resources that wait for an owner, with the text of their annotation. */
  readonly #waiting = new Map<string, string>()

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
    if (plan?.problem) this.#waiting.set(key, object.metadata.annotations?.[OWNERS_ANNOTATION] ?? '')
    else this.#waiting.delete(key)
    if (plan && plan.add.length > 0) await this.#add(kind, object, plan)
    await this.#tell(kind, object, plan)
  }

  forget(key: string): void {
    this.#waiting.delete(key)
  }

  /** Those that may have waited for this object. */
  waitingFor(_: HandledKind, { metadata }: KubeObject): string[] {
    return this.#mentioning(metadata.name ?? '')
  }

  waitingForKind(kind: string): string[] {
    return this.#mentioning(kind.toLowerCase())
  }

  #mentioning(word: string): string[] {
    const found: string[] = []
    for (const [key, text] of this.#waiting) if (text.toLowerCase().includes(word)) found.push(key)
    return found
  }

  async #add({ resource }: HandledKind, object: KubeObject, { add }: OwnersPlan): Promise<void> {
    await this.#api.change(resource, nameOf(object), ({ metadata }) => {
      if (metadata.uid !== object.metadata.uid) return
      const { ownerReferences = [] } = metadata
      const missing = add.filter(({ uid }) => !ownerReferences.some((owner) => owner.uid === uid))
      if (missing.length > 0) metadata.ownerReferences = [...ownerReferences, ...missing]
    })
  }

  /** Nothing is said about resources that have no such annotation. */
  async #tell(kind: HandledKind, object: KubeObject, plan: OwnersPlan | undefined): Promise<void> {
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
      const said = { type: OWNERS_CONDITION, status: plan.problem ? 'False' : 'True', reason, message } as const
      return { ...status, conditions: setCondition(status.conditions, said, this.#clock.now()) }
    })
  }
}
