// The step of ValidatingAdmissionPolicies in the write pipeline: every policy whose constraints and bindings take the write is
// evaluated on what will be stored. It waits for nobody; what takes long yields to the event loop between expressions.

import { yieldBetween, yieldToLoop } from '@homeostat/base'
import { WorkMeter } from '../../expressions/budget.ts'
import type { AdmissionStep, AdmittedWrite } from '../../registry/admission-step.ts'
import type { ResourceType } from '../../registry/resource-type.ts'
import type { CachedObjects } from '../cached-objects.ts'
import type { Match } from '../matching/match-index.ts'
import { isOwnStep, MatchedWrite } from '../matching/matched-write.ts'
import type { ActivePolicies, ActivePolicy } from './active-policies.ts'
import { evaluatePolicy } from './evaluate-policy.ts'
import { kindText, type ParamObjects } from './params.ts'
import { type BindingSources, VersionBindings, type WriteBindings } from './policy-bindings.ts'
import { PolicyDecision } from './policy-decision.ts'

export interface PolicyParts {
  readonly cached: CachedObjects
  readonly policies: ActivePolicies
  readonly params: ParamObjects
  readonly sources: BindingSources
  /** False while the server writes its own first objects. */
  isOpen(): boolean
}

type Steps<T> = Generator<undefined, T, undefined>

export function policyStep(parts: PolicyParts): AdmissionStep {
  return {
    name: 'validating admission policies',
    at: 'admit',
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    actions: true,
    applies: (request) => parts.policies.concerns(request) && parts.isOpen() && !isOwnStep(request),
    run(write) {
      const matched = new MatchedWrite(write, parts.cached)
      const found = parts.policies.matches(matched)
      if (found.length === 0) return
      const compiling = found.flatMap(({ matched: policy }) => policy.compile() ?? [])
      if (compiling.length === 0) return decided(write, matched, found, parts)
      return Promise.all(compiling).then(() => decided(write, matched, found, parts))
    },
  }
}

function decided(...given: Parameters<typeof decide>): void | Promise<void> {
  const steps = decide(...given)
  if (steps.next().done) return
  return yieldToLoop().then(() => yieldBetween(steps))
}

function* decide(
  write: AdmittedWrite,
  matched: MatchedWrite,
  found: readonly Match<ActivePolicy>[],
  parts: PolicyParts,
): Steps<void> {
  const decision = new PolicyDecision(write)
  const meter = new WorkMeter()
  const versions = new Map<ResourceType, WriteBindings>()
  const bindingsOf = (type: ResourceType): WriteBindings => {
    const made = versions.get(type) ?? new VersionBindings(write, matched, type, parts.sources)
    versions.set(type, made)
    return made
  }
  for (const { matched: policy, type } of found) {
    const { paramKind } = policy
    if (paramKind !== undefined && parts.params.typeOf(paramKind) === undefined) {
      const problem = `failed to find resource referenced by paramKind: '${kindText(paramKind)}'`
      decision.misconfigured(policy, undefined, problem)
      continue
    }
    for (const binding of policy.bindings) {
      if (binding.matcher.match(matched) === undefined) continue
      const { objects, problem } = parts.params.collect(paramKind, binding.paramRef, matched.namespace)
      if (problem !== undefined) {
        decision.misconfigured(policy, binding, problem)
        continue
      }
      for (const params of objects)
        decision.add(policy, binding, yield* evaluatePolicy(policy, bindingsOf(type), params, meter))
    }
  }
  decision.finish()
}
