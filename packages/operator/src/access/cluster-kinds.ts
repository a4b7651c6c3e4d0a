// The kinds of Kubernetes whose objects are in no namespace, by `apiVersion/Kind`. The compiler checks that none is missing.

import type { ClusterScopedKinds } from '@homeostat/client/kinds/built-in'

const clusterKinds: Readonly<Record<ClusterScopedKinds, true>> = {
  'admissionregistration.k8s.io/v1/MutatingWebhookConfiguration': true,
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy': true,
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding': true,
  'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration': true,
  'apiextensions.k8s.io/v1/CustomResourceDefinition': true,
  'apiregistration.k8s.io/v1/APIService': true,
  'authentication.k8s.io/v1/SelfSubjectReview': true,
  'authentication.k8s.io/v1/TokenReview': true,
  'authorization.k8s.io/v1/SelfSubjectAccessReview': true,
  'authorization.k8s.io/v1/SelfSubjectRulesReview': true,
  'authorization.k8s.io/v1/SubjectAccessReview': true,
  'certificates.k8s.io/v1/CertificateSigningRequest': true,
  'flowcontrol.apiserver.k8s.io/v1/FlowSchema': true,
  'flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration': true,
  'networking.k8s.io/v1/IPAddress': true,
  'networking.k8s.io/v1/IngressClass': true,
  'networking.k8s.io/v1/ServiceCIDR': true,
  'node.k8s.io/v1/RuntimeClass': true,
  'rbac.authorization.k8s.io/v1/ClusterRole': true,
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': true,
  'resource.k8s.io/v1/DeviceClass': true,
  'resource.k8s.io/v1/ResourceSlice': true,
  'scheduling.k8s.io/v1/PriorityClass': true,
  'storage.k8s.io/v1/CSIDriver': true,
  'storage.k8s.io/v1/CSINode': true,
  'storage.k8s.io/v1/StorageClass': true,
  'storage.k8s.io/v1/VolumeAttachment': true,
  'storage.k8s.io/v1/VolumeAttributesClass': true,
  'v1/ComponentStatus': true,
  'v1/Namespace': true,
  'v1/Node': true,
  'v1/PersistentVolume': true,
}

/** False for kinds that Kubernetes does not have. */
export function isClusterKind(apiVersion: string, kind: string): boolean {
  return Object.hasOwn(clusterKinds, `${apiVersion}/${kind}`)
}
