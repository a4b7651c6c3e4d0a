// The rights of programs inside the server, such as add-ons: each has those that it declares, beside what roles give its
// account. They belong to the user object of the program's own connections, so that no token, certificate or impersonation of
// the same name has them.

import type { User } from '../identity/user.ts'
import type { DeclaredRule } from '../registry/declared-rule.ts'
import type { Attributes, ResourceAttributes } from './authorize.ts'
import { grantLine } from './grant-line.ts'
import type { PolicyRule } from './rbac/policy-rule.ts'
import { RightsTable } from './rbac/rights-table.ts'

/** Whether the definition of the kind contains the text. */
export type DefinitionHolds = (group: string, resource: string, text: string) => boolean

export interface Refusal {
  readonly user: string
  readonly verb: string
  readonly resource: string
  readonly namespace: string
  /** The command that allows it. */
  readonly line: string | undefined
}

interface Declared {
  readonly rules: readonly PolicyRule[]
  readonly table: RightsTable
  readonly kinds: readonly { readonly text: string; readonly verbs: ReadonlySet<string> }[]
  /** Refusals that were logged. */
  readonly logged: Set<string>
}

/** A program that is refused with every name is logged with the first ones. */
const MAX_LOGGED = 1000
const REASON = 'declared by the add-on'
const NONE: readonly PolicyRule[] = []

/** What every client asks first. Add-ons start before the default roles may exist. */
const DISCOVERY: PolicyRule = {
  verbs: ['get'],
  apiGroups: [],
  resources: [],
  resourceNames: [],
  nonResourceURLs: ['/api', '/api/*', '/apis', '/apis/*', '/openapi', '/openapi/*', '/version', '/healthz', '/readyz'],
}

export class DeclaredRights {
  readonly #holds: DefinitionHolds
  readonly #onRefused: (refusal: Refusal) => void
  readonly #declared = new WeakMap<User, Declared>()

  constructor(holds: DefinitionHolds, onRefused: (refusal: Refusal) => void) {
    this.#holds = holds
    this.#onRefused = onRefused
  }

  declare(user: User, declared: readonly DeclaredRule[]): void {
    const rules = [DISCOVERY, ...declared.flatMap(plainRule)]
    const table = new RightsTable()
    for (const rule of rules) table.add(rule, REASON)
    const kinds = declared.flatMap(({ definitionHolds: text, verbs }) =>
      text === undefined ? [] : [{ text, verbs: new Set(verbs) }],
    )
    this.#declared.set(user, { rules, table, kinds, logged: new Set() })
  }

  /** The reason why it is allowed; undefined when nothing of the kind is declared. */
  find(user: User, attributes: Attributes): string | undefined {
    const declared = this.#declared.get(user)
    if (declared === undefined) return undefined
    return declared.table.find(attributes) ?? ('path' in attributes ? undefined : this.#findKind(declared, attributes))
  }

  rulesOf(user: User): readonly PolicyRule[] {
    return this.#declared.get(user)?.rules ?? NONE
  }

  /** Tells once of each right that a program lacks. */
  refused(user: User, attributes: Attributes): void {
    const declared = this.#declared.get(user)
    if (declared === undefined || declared.logged.size >= MAX_LOGGED) return
    const [resource, namespace] =
      'path' in attributes ? [attributes.path, ''] : [wholeOf(attributes), attributes.namespace]
    const { verb } = attributes
    const key = `${verb} ${resource} ${namespace}`
    if (declared.logged.has(key)) return
    declared.logged.add(key)
    this.#onRefused({ user: user.username, verb, resource, namespace, line: grantLine(user, attributes) })
  }

  #findKind({ kinds }: Declared, { verb, group, resource }: ResourceAttributes): string | undefined {
    return kinds.some(({ text, verbs }) => verbs.has(verb) && this.#holds(group, resource, text)) ? REASON : undefined
  }
}

function plainRule(rule: DeclaredRule): PolicyRule[] {
  if (rule.definitionHolds !== undefined) return []
  const { verbs, apiGroups, resources, resourceNames = [] } = rule
  return [{ verbs, apiGroups, resources, resourceNames, nonResourceURLs: [] }]
}

function wholeOf({ group, resource, subresource }: ResourceAttributes): string {
  const whole = subresource === '' ? resource : `${resource}/${subresource}`
  return group === '' ? whole : `${whole}.${group}`
}
