// What a webhook or an admission policy says about the requests that it takes, read once from the stored object. Request
// matchers are made of it. It expects a validated object with its defaults.

import { type LabelSelector, selectorOf } from '@homeostat/meta'
import { fieldsOf, listOf, textOf } from '../../builtin/fields-of.ts'

export interface MatchRule {
  readonly operations: readonly string[]
  readonly groups: readonly string[]
  readonly versions: readonly string[]
  readonly resources: readonly { readonly resource: string; readonly subresource: string }[]
  readonly scope: string
  /** Empty: every name. */
  readonly names: readonly string[]
}

export interface MatchCriteria {
  /** Undefined: every request. */
  readonly rules: readonly MatchRule[] | undefined
  readonly excluded: readonly MatchRule[]
  /** A rule for another version of the resource takes the request, too; the object is then seen in that version. */
  readonly equivalent: boolean
  readonly namespaces: LabelSelector
  readonly objects: LabelSelector
}

/** Of the `matchConstraints` of a policy or the `matchResources` of a binding; without rules it takes every request. */
export function policyCriteria(given: unknown): MatchCriteria {
  const match = fieldsOf(given)
  const rules = listOf(match.resourceRules)
  return {
    ...selectorsOf(match),
    rules: rules.length === 0 ? undefined : rules.map(ruleOf),
    excluded: listOf(match.excludeResourceRules).map(ruleOf),
  }
}

/** Of one webhook of a configuration; without rules it takes none. */
export function webhookCriteria(given: unknown): MatchCriteria {
  const webhook = fieldsOf(given)
  return { ...selectorsOf(webhook), rules: listOf(webhook.rules).map(ruleOf), excluded: [] }
}

function selectorsOf({ matchPolicy, namespaceSelector, objectSelector }: Record<string, unknown>) {
  return {
    equivalent: textOf(matchPolicy) !== 'Exact',
    namespaces: selectorOf(namespaceSelector),
    objects: selectorOf(objectSelector),
  }
}

function ruleOf(given: unknown): MatchRule {
  const rule = fieldsOf(given)
  return {
    operations: textsOf(rule.operations),
    groups: textsOf(rule.apiGroups),
    versions: textsOf(rule.apiVersions),
    resources: textsOf(rule.resources).map(splitResource),
    scope: textOf(rule.scope) || '*',
    names: textsOf(rule.resourceNames),
  }
}

function splitResource(name: string): { resource: string; subresource: string } {
  const slash = name.indexOf('/')
  return slash < 0
    ? { resource: name, subresource: '' }
    : { resource: name.slice(0, slash), subresource: name.slice(slash + 1) }
}

function textsOf(list: unknown): string[] {
  return listOf(list).map(textOf)
}
