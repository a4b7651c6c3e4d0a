// The quotas' steps in the write pipeline: a write that adds more than its namespace may hold is refused. The share is
// reserved under the object's lock, in the same turn as the commit, and freed if the write fails.

import type { AdmissionStep } from '../../registry/admission-step.ts'
import type { WriteRequest } from '../../registry/write-request.ts'
import type { QuotaLedger } from './quota-ledger.ts'

export function quotaSteps(ledger: QuotaLedger): AdmissionStep[] {
  const counts = ({ type, namespace, subresource }: WriteRequest) =>
    namespace !== undefined &&
    type.namespaced &&
    (subresource === undefined || subresource === 'resize') &&
    ledger.limits(namespace)
  return [
    {
      name: 'quota',
      at: 'reserve',
      applies: (request) => !request.dryRun && counts(request),
      ticket: ({ namespace }) => `quota-${namespace}`,
      run: (write) => write.onEnd(ledger.reserve(write)),
    },
    {
      // A dry run stores nothing, and so reserves nothing.
      name: 'quota of a dry run',
      at: 'admit',
      applies: (request) => request.dryRun && counts(request),
      run: (write) => ledger.check(write),
    },
  ]
}
