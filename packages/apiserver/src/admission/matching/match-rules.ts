// Which rules of a webhook or a policy concern a resource, as Kubernetes decides it: first those that name its version, then,
// for the match policy Equivalent, those that name another version of it. Pure; request matchers call it once per resource.

import type { ResourceNames } from '../../registry/resource-type.ts'
import type { MatchRule } from './match-criteria.ts'

/** A rule that concerns the resource. */
export interface RuleFor<Type> {
  readonly rule: MatchRule
  /** The version that the rule names: the object is seen in it. */
  readonly type: Type
}

/** In the order in which they are asked. `others` are the other versions of the resource. */
export function rulesFor<Type extends ResourceNames>(
  rules: readonly MatchRule[],
  type: Type,
  subresource: string,
  others: readonly Type[],
): RuleFor<Type>[] {
  const { namespaced } = type
  const concerns = (rule: MatchRule, named: Type) =>
    inScope(rule, namespaced) &&
    includes(rule.groups, named.group) &&
    includes(rule.versions, named.version) &&
    rule.resources.some((one) => matches(one.resource, named.resource) && matches(one.subresource, subresource))
  const exact = rules.filter((rule) => concerns(rule, type)).map((rule) => ({ rule, type }))
  const equivalent = rules.flatMap((rule) =>
    others.filter((other) => concerns(rule, other)).map((other) => ({ rule, type: other })),
  )
  return [...exact, ...equivalent]
}

/** The first rule that takes the operation on this name; a name that is not known yet is empty. */
export function ruleTaking<Type>(
  rules: readonly RuleFor<Type>[],
  operation: string,
  name: string,
): RuleFor<Type> | undefined {
  return rules.find(
    ({ rule }) => includes(rule.operations, operation) && (rule.names.length === 0 || rule.names.includes(name)),
  )
}

function inScope({ scope }: MatchRule, namespaced: boolean): boolean {
  return scope === '*' || (scope === 'Namespaced') === namespaced
}

function includes(list: readonly string[], wanted: string): boolean {
  return list.some((one) => matches(one, wanted))
}

function matches(given: string, wanted: string): boolean {
  return given === '*' || given === wanted
}
