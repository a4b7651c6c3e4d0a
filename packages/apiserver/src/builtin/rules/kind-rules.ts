// The defaults and validation of built-in kinds, by `group/resource` (`core` for the core group). The table of built-in
// kinds merges them in.

import type { KindRules } from '../schema-strategy.ts'
import { admissionBindingRules, admissionPolicyRules } from './admission-policy.ts'
import { autoscalerRules } from './autoscaler.ts'
import { certificateRequestRules } from './certificate-request.ts'
import { daemonSetRules } from './daemon-set.ts'
import { deploymentRules, replicaSetRules } from './deployment.ts'
import { disruptionBudgetRules } from './disruption-budget.ts'
import { endpointSliceRules, endpointsRules } from './endpoints.ts'
import { flowSchemaRules, priorityLevelRules } from './flow-control.ts'
import { ingressClassRules, ingressRules } from './ingress.ts'
import { cronJobRules, jobRules } from './job.ts'
import { limitRangeRules } from './limit-range.ts'
import { networkPolicyRules } from './network-policy.ts'
import { nodeRules } from './node.ts'
import { claimRules, volumeRules } from './persistent-volume.ts'
import { podRules } from './pod.ts'
import { podTemplateRules } from './pod-template.ts'
import { quotaRules } from './quota.ts'
import { clusterRoleBindingRules, clusterRoleRules, roleBindingRules, roleRules } from './rbac.ts'
import { controllerRevisionRules, replicationControllerRules } from './replication-controller.ts'
import { priorityClassRules, runtimeClassRules } from './scheduling-classes.ts'
import { serviceRules } from './service.ts'
import { statefulSetRules } from './stateful-set.ts'
import {
  attributesClassRules,
  csiDriverRules,
  csiNodeRules,
  storageCapacityRules,
  storageClassRules,
  volumeAttachmentRules,
} from './storage.ts'
import { webhookRules } from './webhooks.ts'

export const KIND_RULES: Readonly<Record<string, Partial<KindRules>>> = {
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': webhookRules({ mutating: true }),
  'admissionregistration.k8s.io/validatingadmissionpolicies': admissionPolicyRules(),
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': admissionBindingRules,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': webhookRules({ mutating: false }),
  'apps/controllerrevisions': controllerRevisionRules,
  'apps/daemonsets': daemonSetRules,
  'apps/deployments': deploymentRules,
  'apps/replicasets': replicaSetRules,
  'apps/statefulsets': statefulSetRules,
  'autoscaling/horizontalpodautoscalers': autoscalerRules,
  'batch/cronjobs': cronJobRules,
  'batch/jobs': jobRules,
  'certificates.k8s.io/certificatesigningrequests': certificateRequestRules,
  'core/endpoints': endpointsRules,
  'core/limitranges': limitRangeRules,
  'core/nodes': nodeRules,
  'core/persistentvolumeclaims': claimRules,
  'core/persistentvolumes': volumeRules,
  'core/pods': podRules,
  'core/podtemplates': podTemplateRules,
  'core/replicationcontrollers': replicationControllerRules,
  'core/resourcequotas': quotaRules,
  'core/services': serviceRules,
  'discovery.k8s.io/endpointslices': endpointSliceRules,
  'flowcontrol.apiserver.k8s.io/flowschemas': flowSchemaRules,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': priorityLevelRules,
  'networking.k8s.io/ingressclasses': ingressClassRules,
  'networking.k8s.io/ingresses': ingressRules,
  'networking.k8s.io/networkpolicies': networkPolicyRules,
  'node.k8s.io/runtimeclasses': runtimeClassRules,
  'policy/poddisruptionbudgets': disruptionBudgetRules,
  'rbac.authorization.k8s.io/clusterrolebindings': clusterRoleBindingRules,
  'rbac.authorization.k8s.io/clusterroles': clusterRoleRules,
  'rbac.authorization.k8s.io/rolebindings': roleBindingRules,
  'rbac.authorization.k8s.io/roles': roleRules,
  'scheduling.k8s.io/priorityclasses': priorityClassRules,
  'storage.k8s.io/csidrivers': csiDriverRules,
  'storage.k8s.io/csinodes': csiNodeRules,
  'storage.k8s.io/csistoragecapacities': storageCapacityRules,
  'storage.k8s.io/storageclasses': storageClassRules,
  'storage.k8s.io/volumeattachments': volumeAttachmentRules,
  'storage.k8s.io/volumeattributesclasses': attributesClassRules,
}
