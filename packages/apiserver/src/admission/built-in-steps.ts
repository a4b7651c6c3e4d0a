// The admission that every server has, as Kubernetes' own plugins do it: in the order of kube-apiserver.

import type { AdmissionStep } from '../registry/admission-step.ts'
import type { CachedObjects } from './cached-objects.ts'
import { limitRangeSteps } from './limit-range-steps.ts'
import { prioritySteps } from './priority-steps.ts'
import type { QuotaLedger } from './quota/quota-ledger.ts'
import { quotaSteps } from './quota/quota-steps.ts'
import { serviceAccountStep } from './service-account-step.ts'

export function builtInSteps(cached: CachedObjects, ledger: QuotaLedger): AdmissionStep[] {
  return [...limitRangeSteps(cached), serviceAccountStep(cached), ...prioritySteps(cached), ...quotaSteps(ledger)]
}
