// Decides whether a webhook, a policy or a binding takes a write, and as which version of the resource. What depends on the
// resource alone is worked out once for each; so one that does not concern a resource costs its writes nothing.

import type { ResourceType } from '../../registry/resource-type.ts'
import type { MatchCriteria } from './match-criteria.ts'
import { type RuleFor, rulesFor, ruleTaking } from './match-rules.ts'
import type { MatchedWrite } from './matched-write.ts'
import type { ServedVersions } from './served-versions.ts'

/** The rules that concern one resource. */
interface Target {
  /** Undefined: all requests. */
  readonly rules: readonly RuleFor<ResourceType>[] | undefined
  readonly excluded: readonly RuleFor<ResourceType>[]
}

/** What an index asks. */
export type Matcher = Pick<RequestMatcher, 'concerns' | 'matchesNamespace' | 'matchHere'>

export class RequestMatcher {
  readonly #criteria: MatchCriteria
  readonly #versions: ServedVersions
  #targets = new WeakMap<ResourceType, Map<string, Target>>()
  #generation = -1

  constructor(criteria: MatchCriteria, versions: ServedVersions) {
    this.#criteria = criteria
    this.#versions = versions
  }

  /** Whether a write of the resource may match, whatever it writes. */
  concerns(type: ResourceType, subresource: string): boolean {
    return this.#target(type, subresource).rules?.length !== 0
  }

  /** The version that the object is to be seen in; undefined when the write is not taken. */
  match(write: MatchedWrite): ResourceType | undefined {
    return this.matchesNamespace(write) ? this.matchHere(write) : undefined
  }

  /** The part of `match` that is the same for all writes in a namespace until that changes. */
  matchesNamespace({ namespace, namespaceLabels }: Pick<MatchedWrite, 'namespace' | 'namespaceLabels'>): boolean {
    const { namespaces } = this.#criteria
    return namespaces.empty || namespace === undefined || namespaces.matches(namespaceLabels)
  }

  /** The rest of `match`. */
  matchHere(write: MatchedWrite): ResourceType | undefined {
    const { objects } = this.#criteria
    if (!objects.empty && !write.objectLabels.some((labels) => objects.matches(labels))) return undefined
    const { operation, name } = write
    const { rules, excluded } = this.#target(write.type, write.subresource)
    if (ruleTaking(excluded, operation, name) !== undefined) return undefined
    return rules === undefined ? write.type : ruleTaking(rules, operation, name)?.type
  }

  #target(type: ResourceType, subresource: string): Target {
    if (this.#generation !== this.#versions.generation) {
      this.#generation = this.#versions.generation
      this.#targets = new WeakMap()
    }
    let targets = this.#targets.get(type)
    if (targets === undefined) {
      targets = new Map()
      this.#targets.set(type, targets)
    }
    let target = targets.get(subresource)
    if (target === undefined) {
      target = this.#makeTarget(type, subresource)
      targets.set(subresource, target)
    }
    return target
  }

  #makeTarget(type: ResourceType, subresource: string): Target {
    const { rules, excluded, equivalent } = this.#criteria
    const others = equivalent ? this.#versions.others(type) : []
    return {
      rules: rules && rulesFor(rules, type, subresource, others),
      excluded: rulesFor(excluded, type, subresource, others),
    }
  }
}
