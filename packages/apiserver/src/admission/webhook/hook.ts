// One webhook of a configuration, read once from the stored object. The configurations make it; the steps call it.

import { once } from '@homeostat/base'
import type { KubeObject } from '@homeostat/meta'
import { type Fields, fieldsOf, listOf, textOf } from '../../builtin/fields-of.ts'
import { compilePolicy, type PolicyPrograms } from '../../expressions/policy-programs.ts'
import type { ClientConfig } from '../../webhook/webhook-target.ts'
import { webhookCriteria } from '../matching/match-criteria.ts'
import { RequestMatcher } from '../matching/request-matcher.ts'
import type { ServedVersions } from '../matching/served-versions.ts'

export type ReviewVersion = 'v1' | 'v1beta1'

export interface Hook {
  readonly name: string
  readonly configuration: string
  readonly matcher: RequestMatcher
  /** Compiled when a write first asks for them; undefined without any. */
  readonly conditions: (() => Promise<PolicyPrograms>) | undefined
  readonly client: ClientConfig
  /** Its failures let the write pass. */
  readonly ignoresFailures: boolean
  readonly timeoutSeconds: number
  /** Undefined when it accepts no version that this server sends. */
  readonly reviewVersion: ReviewVersion | undefined
  /** A dry run may call it. */
  readonly allowsDryRun: boolean
  /** A mutating one is called again when others changed the object after it. */
  readonly isReinvoked: boolean
}

/** The webhooks of a stored configuration, in its order. */
export function hooksOf(configuration: KubeObject, versions: ServedVersions): Hook[] {
  const name = configuration.metadata.name ?? ''
  return listOf(configuration.webhooks).map((given) => hookOf(fieldsOf(given), name, versions))
}

function hookOf(hook: Fields, configuration: string, versions: ServedVersions): Hook {
  const accepted = listOf(hook.admissionReviewVersions)
  return {
    name: textOf(hook.name),
    configuration,
    matcher: new RequestMatcher(webhookCriteria(hook), versions),
    conditions: conditionsOf(hook),
    client: fieldsOf(hook.clientConfig) as ClientConfig,
    ignoresFailures: hook.failurePolicy === 'Ignore',
    timeoutSeconds: Math.min(30, Math.max(1, Number(hook.timeoutSeconds) || 10)),
    reviewVersion: accepted.find((one): one is ReviewVersion => one === 'v1' || one === 'v1beta1'),
    allowsDryRun: hook.sideEffects === 'None' || hook.sideEffects === 'NoneOnDryRun',
    isReinvoked: hook.reinvocationPolicy === 'IfNeeded',
  }
}

function conditionsOf({ matchConditions }: Fields): Hook['conditions'] {
  if (listOf(matchConditions).length === 0) return undefined
  return once(() => compilePolicy({ matchConditions }))
}
