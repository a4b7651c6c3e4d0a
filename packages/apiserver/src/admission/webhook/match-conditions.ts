// Whether the match conditions of a webhook hold for a write. What cannot be evaluated refuses the write, or skips the webhook
// when its failures are ignored.

import { yieldBetween } from '@homeostat/base'
import { forbidden } from '@homeostat/meta'
import { WorkMeter } from '../../expressions/budget.ts'
import type { AdmittedWrite } from '../../registry/admission-step.ts'
import type { ResourceType } from '../../registry/resource-type.ts'
import type { MatchedWrite } from '../matching/matched-write.ts'
import { evaluateConditions } from '../policies/evaluate-policy.ts'
import { type BindingSources, VersionBindings } from '../policies/policy-bindings.ts'
import type { Hook } from './hook.ts'

export function conditionsHold(
  hook: Hook,
  write: AdmittedWrite,
  matched: MatchedWrite,
  type: ResourceType,
  sources: BindingSources,
): boolean | Promise<boolean> {
  return (
    hook.conditions === undefined ||
    evaluated(hook, hook.conditions, new VersionBindings(write, matched, type, sources), write)
  )
}

async function evaluated(
  { ignoresFailures }: Hook,
  conditions: NonNullable<Hook['conditions']>,
  bindings: VersionBindings,
  { request, object }: AdmittedWrite,
): Promise<boolean> {
  const programs = await conditions()
  const holds = await yieldBetween(evaluateConditions({ programs, ignoresFailures }, bindings, new WorkMeter()))
  if (typeof holds === 'boolean') return holds
  throw forbidden({ ...request.type, name: request.name ?? object.metadata.name ?? '' }, holds)
}
