// The ValidatingAdmissionPolicies that have bindings, as they are stored now. A policy's expressions are compiled when it
// first takes a write, and again when its spec changes. Policies and bindings take effect with the commit that writes them.

import { type Log, once } from '@homeostat/base'
import type { KubeObject } from '@homeostat/meta'
import { fieldsOf, listOf, textOf } from '../../builtin/fields-of.ts'
import type { ResourceCache } from '../../cache/resource-cache.ts'
import { compilePolicy, type PolicyPrograms } from '../../expressions/policy-programs.ts'
import type { WriteRequest } from '../../registry/write-request.ts'
import type { CachedObjects } from '../cached-objects.ts'
import { policyCriteria } from '../matching/match-criteria.ts'
import { type Match, MatchIndex } from '../matching/match-index.ts'
import type { MatchedWrite } from '../matching/matched-write.ts'
import { type Matcher, RequestMatcher } from '../matching/request-matcher.ts'
import type { ServedVersions } from '../matching/served-versions.ts'
import { type ParamKind, type ParamRef, paramKindOf, paramRefOf } from './params.ts'

const POLICIES = 'admissionregistration.k8s.io/validatingadmissionpolicies'
const BINDINGS = 'admissionregistration.k8s.io/validatingadmissionpolicybindings'

export interface ActiveBinding {
  readonly name: string
  readonly policyName: string
  readonly matcher: RequestMatcher
  readonly paramRef: ParamRef | undefined
  readonly actions: readonly string[]
}

export class ActivePolicy {
  readonly name: string
  readonly matcher: Matcher
  readonly bindings: readonly ActiveBinding[]
  readonly paramKind: ParamKind | undefined
  /** Whether what cannot be evaluated lets the write pass. */
  readonly ignoresFailures: boolean
  readonly #compiled: Compiled

  constructor(compiled: Compiled, constraints: RequestMatcher, bindings: readonly ActiveBinding[]) {
    const { policy } = compiled
    const spec = fieldsOf(policy.spec)
    this.name = policy.metadata.name ?? ''
    this.matcher = boundMatcher(constraints, bindings)
    this.bindings = bindings
    this.paramKind = paramKindOf(spec.paramKind)
    this.ignoresFailures = spec.failurePolicy === 'Ignore'
    this.#compiled = compiled
  }

  /** Compiles the expressions; undefined when that is done. */
  compile(): Promise<void> | undefined {
    return this.#compiled.programs === undefined ? this.#compiled.compile() : undefined
  }

  get programs(): PolicyPrograms {
    const { programs } = this.#compiled
    if (programs === undefined) throw new Error(`policy ${this.name} is evaluated before it is compiled`)
    return programs
  }
}

/** What the constraints take and a binding may take. Which binding takes it is asked for each write. */
function boundMatcher(constraints: RequestMatcher, bindings: readonly ActiveBinding[]): Matcher {
  return {
    concerns: (type, subresource) =>
      constraints.concerns(type, subresource) && bindings.some(({ matcher }) => matcher.concerns(type, subresource)),
    matchesNamespace: (place) =>
      constraints.matchesNamespace(place) && bindings.some(({ matcher }) => matcher.matchesNamespace(place)),
    matchHere: (write) => constraints.matchHere(write),
  }
}

/** The expressions of a policy, for as long as its generation lasts. */
class Compiled {
  readonly policy: KubeObject
  programs: PolicyPrograms | undefined
  readonly compile = once(async () => {
    this.programs = await compilePolicy(this.policy.spec)
  })

  constructor(policy: KubeObject) {
    this.policy = policy
  }

  isOf({ metadata }: KubeObject): boolean {
    const own = this.policy.metadata
    return own.uid === metadata.uid && own.generation === metadata.generation
  }
}

export class ActivePolicies {
  readonly #cached: CachedObjects
  readonly #versions: ServedVersions
  readonly #log: Log
  readonly #namespaces: ResourceCache
  readonly #index: MatchIndex<ActivePolicy>
  #compiled = new Map<string, Compiled>()
  #isStale = true

  constructor(cached: CachedObjects, versions: ServedVersions, log: Log) {
    this.#cached = cached
    this.#versions = versions
    this.#log = log
    this.#namespaces = cached.resource('core/namespaces')
    this.#index = new MatchIndex(versions)
    for (const storage of [POLICIES, BINDINGS])
      cached.resource(storage).subscribe(() => {
        this.#isStale = true
      })
  }

  /** Whether any policy may be asked about such a write. */
  concerns(request: WriteRequest): boolean {
    this.#refresh()
    const { namespace } = request
    return this.#index.concerns(request, namespace === undefined ? undefined : this.#namespaces.tree.get(namespace))
  }

  /** The policies whose constraints take the write, by name. */
  matches(write: MatchedWrite): Match<ActivePolicy>[] {
    this.#refresh()
    return this.#index.matches(write)
  }

  #refresh(): void {
    if (!this.#isStale) return
    this.#isStale = false
    const bindings = Map.groupBy(
      this.#read(BINDINGS).map((binding) => this.#binding(binding)),
      (one) => one.policyName,
    )
    const compiled = new Map<string, Compiled>()
    const active: ActivePolicy[] = []
    for (const policy of bindings.size === 0 ? [] : this.#read(POLICIES)) {
      const { name = '' } = policy.metadata
      const bound = bindings.get(name)
      if (bound === undefined) continue
      const known = this.#compiled.get(name)
      const mine = known?.isOf(policy) ? known : new Compiled(policy)
      compiled.set(name, mine)
      const matcher = new RequestMatcher(policyCriteria(fieldsOf(policy.spec).matchConstraints), this.#versions)
      active.push(new ActivePolicy(mine, matcher, bound))
    }
    this.#compiled = compiled
    this.#index.replace(active)
  }

  #read(storage: string): KubeObject[] {
    return [...this.#cached.resource(storage).tree.objects()].flatMap((cached) => {
      const object = this.#cached.parse(cached)
      if (object === undefined) this.#log.error({ object: cached.key }, 'it cannot be read, and is not enforced')
      return object ?? []
    })
  }

  #binding({ metadata, spec }: KubeObject): ActiveBinding {
    const { policyName, matchResources, paramRef, validationActions } = fieldsOf(spec)
    return {
      name: metadata.name ?? '',
      policyName: textOf(policyName),
      matcher: new RequestMatcher(policyCriteria(matchResources), this.#versions),
      paramRef: paramRefOf(paramRef),
      actions: listOf(validationActions).map(textOf),
    }
  }
}
