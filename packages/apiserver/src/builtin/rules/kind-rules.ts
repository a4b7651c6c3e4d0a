// Defaults and validation of built-in kinds that plain stored data does not have, by `group/resource` (`core` for the
// core group). The table of built-in kinds merges them in.

import type { KindRules } from '../schema-strategy.ts'
import { daemonSetRules } from './daemon-set.ts'
import { deploymentRules, replicaSetRules } from './deployment.ts'
import { cronJobRules, jobRules } from './job.ts'
import { podRules } from './pod.ts'
import { podTemplateRules } from './pod-template.ts'
import { controllerRevisionRules, replicationControllerRules } from './replication-controller.ts'
import { statefulSetRules } from './stateful-set.ts'

export const KIND_RULES: Readonly<Record<string, Partial<KindRules>>> = {
  'apps/controllerrevisions': controllerRevisionRules,
  'apps/daemonsets': daemonSetRules,
  'apps/deployments': deploymentRules,
  'apps/replicasets': replicaSetRules,
  'apps/statefulsets': statefulSetRules,
  'batch/cronjobs': cronJobRules,
  'batch/jobs': jobRules,
  'core/pods': podRules,
  'core/podtemplates': podTemplateRules,
  'core/replicationcontrollers': replicationControllerRules,
}
