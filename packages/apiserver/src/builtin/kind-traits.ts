// How built-in kinds may be written, where they differ in a flag or a word. Keys are `group/resource`, with `core` for
// the core group.

import { dns1035Label, dns1123Label, dns1123Subdomain, pathSegmentName } from '@homeostat/meta'
import { restorePaths } from './restore-paths.ts'
import { addressErrors } from './rules/addresses.ts'
import type { KindRules } from './schema-strategy.ts'

type Kinds = ReadonlySet<string>

/** A PUT needs a resourceVersion. */
const CONDITIONAL: Kinds = new Set([
  'admissionregistration.k8s.io/mutatingwebhookconfigurations',
  'admissionregistration.k8s.io/validatingadmissionpolicies',
  'admissionregistration.k8s.io/validatingadmissionpolicybindings',
  'admissionregistration.k8s.io/validatingwebhookconfigurations',
  'apiregistration.k8s.io/apiservices',
  'coordination.k8s.io/leases',
  'node.k8s.io/runtimeclasses',
  'policy/poddisruptionbudgets',
  'storage.k8s.io/csidrivers',
  'storage.k8s.io/csinodes',
  'storage.k8s.io/csistoragecapacities',
  'storage.k8s.io/volumeattachments',
])

/** A PUT creates an object that does not exist. */
const CREATE_ON_UPDATE: Kinds = new Set([
  'coordination.k8s.io/leases',
  'core/endpoints',
  'core/events',
  'core/limitranges',
  'core/services',
  'events.k8s.io/events',
  'node.k8s.io/runtimeclasses',
  'rbac.authorization.k8s.io/clusterrolebindings',
  'rbac.authorization.k8s.io/clusterroles',
  'rbac.authorization.k8s.io/rolebindings',
  'rbac.authorization.k8s.io/roles',
])

const GENERATION: Kinds = new Set([
  'admissionregistration.k8s.io/mutatingwebhookconfigurations',
  'admissionregistration.k8s.io/validatingadmissionpolicies',
  'admissionregistration.k8s.io/validatingadmissionpolicybindings',
  'admissionregistration.k8s.io/validatingwebhookconfigurations',
  'apps/daemonsets',
  'apps/deployments',
  'apps/replicasets',
  'apps/statefulsets',
  'batch/cronjobs',
  'batch/jobs',
  'core/pods',
  'core/podtemplates',
  'core/replicationcontrollers',
  'discovery.k8s.io/endpointslices',
  'flowcontrol.apiserver.k8s.io/flowschemas',
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
  'networking.k8s.io/ingressclasses',
  'networking.k8s.io/ingresses',
  'resource.k8s.io/deviceclasses',
  'resource.k8s.io/resourceslices',
  'networking.k8s.io/networkpolicies',
  'policy/poddisruptionbudgets',
  'scheduling.k8s.io/priorityclasses',
])

const GENERATION_METADATA: Readonly<Record<string, NonNullable<KindRules['generationMetadata']>>> = {
  'apps/deployments': ['annotations'],
  'discovery.k8s.io/endpointslices': ['labels'],
}

/** DELETE responds with the object, not with a Status. */
const DELETE_RETURNS_OBJECT: Kinds = new Set([
  'core/namespaces',
  'core/persistentvolumeclaims',
  'core/persistentvolumes',
  'core/pods',
  'core/podtemplates',
  'core/resourcequotas',
  'core/serviceaccounts',
  'core/services',
  'storage.k8s.io/csidrivers',
  'storage.k8s.io/csinodes',
  'storage.k8s.io/storageclasses',
  'storage.k8s.io/volumeattachments',
  'storage.k8s.io/volumeattributesclasses',
])

/** A DELETE orphans dependents by default: these kinds are older than garbage collection. */
const ORPHANING: Kinds = new Set(['batch/jobs', 'core/replicationcontrollers'])

const NAMES: Readonly<Record<string, KindRules['nameErrors']>> = {
  'apiregistration.k8s.io/apiservices': pathSegmentName,
  'core/events': pathSegmentName,
  'core/namespaces': dns1123Label,
  'core/services': dns1035Label,
  'events.k8s.io/events': pathSegmentName,
  'networking.k8s.io/ipaddresses': (name) =>
    addressErrors('', name).map(({ message }) => message.replace(/^.*?: (?=must)/, '')),
  'rbac.authorization.k8s.io/clusterrolebindings': pathSegmentName,
  'rbac.authorization.k8s.io/clusterroles': pathSegmentName,
  'rbac.authorization.k8s.io/rolebindings': pathSegmentName,
  'rbac.authorization.k8s.io/roles': pathSegmentName,
}

type ResetFields = NonNullable<KindRules['resetFields']>

/** Fields that a write of each part never owns, for kinds with a status; '' is the object itself. */
const USUAL_RESET: ResetFields = { '': [['status']], status: [['spec']] }
const WITH_METADATA: ResetFields = { '': [['status']], status: [['spec'], ['metadata']] }

const RESET: Readonly<Record<string, ResetFields>> = {
  'admissionregistration.k8s.io/validatingadmissionpolicies': WITH_METADATA,
  'apps/deployments': { '': [['status']], status: [['spec'], ['metadata', 'labels']] },
  'certificates.k8s.io/certificatesigningrequests': {
    '': [['spec'], ['status']],
    status: [['spec'], ['status', 'conditions']],
    approval: [['spec'], ['status', 'certificate']],
  },
  'core/namespaces': { ...USUAL_RESET, finalize: [['status']] },
  'core/pods': {
    '': [['status']],
    status: [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']],
  },
  'flowcontrol.apiserver.k8s.io/flowschemas': WITH_METADATA,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': WITH_METADATA,
  'networking.k8s.io/servicecidrs': WITH_METADATA,
  'storage.k8s.io/volumeattachments': WITH_METADATA,
}

/** The warning in every response about the kind. */
export const DEPRECATIONS: Readonly<Record<string, string>> = {
  'core/componentstatuses': 'v1 ComponentStatus is deprecated in v1.19+',
  'core/endpoints': 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
}

/** Kinds that only the server writes. */
export const READ_ONLY: Kinds = new Set(['apiregistration.k8s.io/apiservices'])

/** Kinds that hold passwords, keys or tokens. */
export const CONFIDENTIAL: Kinds = new Set(['core/secrets', 'authentication.k8s.io/tokenreviews'])

/** Kinds whose older states are worth nothing: heartbeats, and what has happened. As they are stored. */
export const WITHOUT_HISTORY: Kinds = new Set(['coordination.k8s.io/leases', 'core/events'])

export function kindTraits(key: string, hasStatus: boolean): KindRules {
  const resetFields = RESET[key] ?? (hasStatus ? USUAL_RESET : undefined)
  return {
    nameErrors: NAMES[key] ?? dns1123Subdomain,
    statusApart: hasStatus,
    createKeepsStatus: key === 'core/nodes',
    generation: GENERATION.has(key),
    unconditionalUpdate: !CONDITIONAL.has(key),
    createOnUpdate: CREATE_ON_UPDATE.has(key),
    deleteReturnsObject: DELETE_RETURNS_OBJECT.has(key),
    ...(ORPHANING.has(key) && { dependents: 'orphaned' }),
    ...(GENERATION_METADATA[key] && { generationMetadata: GENERATION_METADATA[key] }),
    ...(resetFields && { resetFields, ...statusUpdate(resetFields) }),
  }
}

/** A status write may change labels and other metadata, but not the fields that it never owns. */
function statusUpdate({ status: paths = [] }: ResetFields): Pick<KindRules, 'prepareForStatusUpdate'> {
  return { prepareForStatusUpdate: (object, old) => restorePaths(object, old, paths) }
}
