// The Process or ProcessGraph that a schedule makes. Pure.

import { type PendingRun, SCHEDULE_LABELS, SCHEDULED_AT_ANNOTATION, type Schedule } from '@homeostat/executor/schedules'
import type { KubeObject } from '@homeostat/meta'
import { asLabel } from '../handlers/label-text.ts'

export function runManifest({ metadata, spec }: Schedule, pending: PendingRun): KubeObject {
  const { name = '', namespace = '', uid = '' } = metadata
  return {
    apiVersion: 'colonies.io/v1',
    kind: spec.graph === undefined ? 'Process' : 'ProcessGraph',
    metadata: {
      name: pending.name,
      namespace,
      labels: { [SCHEDULE_LABELS.name]: asLabel(name), [SCHEDULE_LABELS.uid]: uid },
      annotations: { [SCHEDULED_AT_ANNOTATION]: pending.time },
      ownerReferences: [{ apiVersion: 'colonies.io/v1', kind: 'Schedule', name, uid, controller: true }],
    },
    spec: { ...(spec.graph ?? spec.process) },
  }
}
