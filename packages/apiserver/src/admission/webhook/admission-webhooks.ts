// The admission webhooks of a server: put together here, opened when the server has its own first objects.

import type { Log } from '@homeostat/base'
import type { AdmissionStep } from '../../registry/admission-step.ts'
import type { WebhookCalls } from '../../webhook/webhook-calls.ts'
import type { CachedObjects } from '../cached-objects.ts'
import type { ServedVersions } from '../matching/served-versions.ts'
import type { BindingSources } from '../policies/policy-bindings.ts'
import { Configurations } from './configurations.ts'
import { HookCaller } from './hook-caller.ts'
import { webhookSteps } from './webhook-steps.ts'

export interface AdmissionWebhooks {
  readonly steps: readonly AdmissionStep[]
  /** From now on writes are asked about. Before, the server writes what it must have to run. */
  open(): void
}

export function admissionWebhooks(
  cached: CachedObjects,
  versions: ServedVersions,
  calls: WebhookCalls,
  log: Log,
  sources: BindingSources,
): AdmissionWebhooks {
  let isOpen = false
  const steps = webhookSteps({
    cached,
    mutating: new Configurations('mutatingwebhookconfigurations', cached, versions, log),
    validating: new Configurations('validatingwebhookconfigurations', cached, versions, log),
    caller: new HookCaller(calls, log),
    sources,
    isOpen: () => isOpen,
  })
  return {
    steps,
    open: () => {
      isOpen = true
    },
  }
}
