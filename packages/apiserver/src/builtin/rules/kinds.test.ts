// The kinds with few rules: what is completed, what is refused, what cannot change.

import { describe, expect, it } from 'vitest'
import { type Body, changed, creating, updating } from './rules.fixture.ts'

const rbac = 'rbac.authorization.k8s.io/v1'
const net = 'networking.k8s.io/v1'
const storage = 'storage.k8s.io/v1'
const admission = 'admissionregistration.k8s.io/v1'
const flow = 'flowcontrol.apiserver.k8s.io/v1'

const BODIES = {
  role: { apiVersion: rbac, kind: 'Role', rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
  clusterRole: { apiVersion: rbac, kind: 'ClusterRole', rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] },
  binding: {
    apiVersion: rbac,
    kind: 'RoleBinding',
    roleRef: { kind: 'Role', name: 'r' },
    subjects: [
      { kind: 'User', name: 'u' },
      { kind: 'ServiceAccount', name: 'sa' },
    ],
  },
  clusterBinding: {
    apiVersion: rbac,
    kind: 'ClusterRoleBinding',
    roleRef: { kind: 'ClusterRole', name: 'r' },
    subjects: [{ kind: 'Group', name: 'g' }],
  },
  policy: { apiVersion: net, kind: 'NetworkPolicy', spec: { egress: [{ ports: [{ port: 53 }] }] } },
  ingress: {
    apiVersion: net,
    kind: 'Ingress',
    spec: {
      rules: [
        {
          host: 'a.example.com',
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
          },
        },
      ],
    },
  },
  ingressClass: {
    apiVersion: net,
    kind: 'IngressClass',
    spec: { controller: 'a.b/c', parameters: { kind: 'K', name: 'n' } },
  },
  budget: { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', spec: { minAvailable: '50%', selector: {} } },
  autoscaler: {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } },
  },
  claim: {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  volume: {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/x' } },
  },
  storageClass: { apiVersion: storage, kind: 'StorageClass', provisioner: 'a.b/c' },
  csiDriver: { apiVersion: storage, kind: 'CSIDriver', spec: {} },
  priority: { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', value: 5 },
  runtime: { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', handler: 'runc' },
  endpoints: {
    apiVersion: 'v1',
    kind: 'Endpoints',
    subsets: [{ addresses: [{ ip: '1.2.3.4' }], ports: [{ port: 80 }] }],
  },
  slice: {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    addressType: 'IPv4',
    endpoints: [{ addresses: ['1.2.3.4'] }],
    ports: [{ port: 80 }],
  },
  quota: { apiVersion: 'v1', kind: 'ResourceQuota', spec: { hard: { pods: '3' } } },
  limits: {
    apiVersion: 'v1',
    kind: 'LimitRange',
    spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { memory: '1Mi' } }] },
  },
  request: {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    spec: {
      request: Buffer.from('-----BEGIN CERTIFICATE REQUEST-----').toString('base64'),
      signerName: 'a.b/c',
      usages: ['client auth'],
    },
  },
  flowSchema: { apiVersion: flow, kind: 'FlowSchema', spec: { priorityLevelConfiguration: { name: 'p' } } },
  level: {
    apiVersion: flow,
    kind: 'PriorityLevelConfiguration',
    spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: {} } } },
  },
  webhook: {
    apiVersion: admission,
    kind: 'MutatingWebhookConfiguration',
    webhooks: [
      {
        name: 'a.example.com',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        clientConfig: { service: { name: 's', namespace: 'n' } },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
      },
    ],
  },
  admissionPolicy: {
    apiVersion: admission,
    kind: 'ValidatingAdmissionPolicy',
    spec: {
      matchConstraints: {
        resourceRules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
      },
      validations: [{ expression: 'true' }],
    },
  },
  admissionBinding: {
    apiVersion: admission,
    kind: 'ValidatingAdmissionPolicyBinding',
    spec: { policyName: 'p', validationActions: ['Deny'], matchResources: {} },
  },
  node: { apiVersion: 'v1', kind: 'Node', spec: { podCIDR: '10.1.0.0/24' }, status: { capacity: { cpu: '1' } } },
  revision: { apiVersion: 'apps/v1', kind: 'ControllerRevision', revision: 1, data: { a: 1 } },
} satisfies Record<string, Body>

type Name = keyof typeof BODIES

const selectors = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} }

it.each<[Name, object]>([
  [
    'binding',
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io' }, { kind: 'ServiceAccount', name: 'sa' }],
    },
  ],
  ['policy', { spec: { policyTypes: ['Ingress', 'Egress'], egress: [{ ports: [{ port: 53, protocol: 'TCP' }] }] } }],
  ['ingress', { status: { loadBalancer: {} } }],
  ['ingressClass', { spec: { parameters: { scope: 'Cluster' } } }],
  [
    'autoscaler',
    {
      spec: {
        minReplicas: 1,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
        ],
      },
    },
  ],
  ['claim', { spec: { volumeMode: 'Filesystem' }, status: { phase: 'Pending' } }],
  [
    'volume',
    {
      spec: { hostPath: { type: '' }, persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
      status: { phase: 'Pending', lastPhaseTransitionTime: '2030-01-01T00:00:00Z' },
    },
  ],
  ['storageClass', { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }],
  [
    'csiDriver',
    {
      spec: {
        attachRequired: true,
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
        podInfoOnMount: false,
        requiresRepublish: false,
        seLinuxMount: false,
        storageCapacity: false,
        volumeLifecycleModes: ['Persistent'],
      },
    },
  ],
  ['priority', { preemptionPolicy: 'PreemptLowerPriority' }],
  ['endpoints', { subsets: [{ ports: [{ protocol: 'TCP' }] }] }],
  ['slice', { ports: [{ name: '', protocol: 'TCP' }] }],
  ['limits', { spec: { limits: [{ default: { cpu: '2' }, defaultRequest: { cpu: '2', memory: '1Mi' } }] } }],
  ['flowSchema', { spec: { matchingPrecedence: 1000 } }],
  [
    'level',
    {
      spec: {
        limited: {
          lendablePercent: 0,
          limitResponse: { queuing: { handSize: 8, queueLengthLimit: 50, queues: 64 } },
          nominalConcurrencyShares: 30,
        },
      },
    },
  ],
  [
    'webhook',
    {
      webhooks: [
        {
          ...selectors,
          clientConfig: { service: { port: 443 } },
          failurePolicy: 'Fail',
          reinvocationPolicy: 'Never',
          rules: [{ scope: '*' }],
          timeoutSeconds: 10,
        },
      ],
    },
  ],
  [
    'admissionPolicy',
    { spec: { failurePolicy: 'Fail', matchConstraints: { ...selectors, resourceRules: [{ scope: '*' }] } } },
  ],
  ['admissionBinding', { spec: { matchResources: selectors } }],
  ['node', { spec: { podCIDRs: ['10.1.0.0/24'] }, status: { allocatable: { cpu: '1' } } }],
])('%s is completed', (name, completed) => {
  const { causes, object } = creating(BODIES[name])
  expect(causes).toEqual([])
  expect(object).toMatchObject(completed)
})

it.each(Object.keys(BODIES) as Name[])('%s is good as it is', (name) => {
  expect(creating(BODIES[name]).causes).toEqual([])
  expect(updating(BODIES[name], { 'metadata.labels': { a: 'b' } }).causes).toEqual([])
})

describe.each<[Name, [Record<string, unknown>, string[]][]]>([
  [
    'role',
    [
      [{ 'rules.0.verbs': [] }, ['Required rules[0].verbs']],
      [{ 'rules.0': { verbs: ['get'] } }, ['Required rules[0].apiGroups', 'Required rules[0].resources']],
      [{ 'rules.0': { verbs: ['get'], nonResourceURLs: ['/x'] } }, ['Invalid rules[0].nonResourceURLs']],
    ],
  ],
  [
    'clusterRole',
    [
      [{ 'rules.0.resources': ['pods'] }, ['Invalid rules[0].nonResourceURLs']],
      [{ aggregationRule: {} }, ['Required aggregationRule.clusterRoleSelectors']],
    ],
  ],
  [
    'binding',
    [
      [{ 'roleRef.name': undefined }, ['Required roleRef.name']],
      [{ 'roleRef.kind': 'Rule' }, ['NotSupported roleRef.kind']],
      [{ 'subjects.0.kind': 'Person' }, ['NotSupported subjects[0].kind']],
      [{ 'subjects.0.name': '' }, ['Required subjects[0].name']],
      [{ 'subjects.1.apiGroup': 'x' }, ['NotSupported subjects[1].apiGroup']],
    ],
  ],
  ['clusterBinding', [[{ subjects: [{ kind: 'ServiceAccount', name: 'a' }] }, ['Required subjects[0].namespace']]]],
  [
    'policy',
    [
      [{ 'spec.egress.0.to': [{}] }, ['Required spec.egress[0].to[0]']],
      [{ 'spec.egress.0.to': [{ ipBlock: { cidr: '10.0.0.0' } }] }, ['Invalid spec.egress[0].to[0].ipBlock.cidr']],
      [
        { 'spec.egress.0.to': [{ ipBlock: { cidr: '10.0.0.0/16', except: ['10.1.0.0/24'] } }] },
        ['Invalid spec.egress[0].to[0].ipBlock.except[0]'],
      ],
      [{ 'spec.policyTypes': ['Through'] }, ['NotSupported spec.policyTypes[0]']],
      [{ 'spec.egress.0.ports.0.endPort': 9 }, ['Invalid spec.egress[0].ports[0].endPort']],
    ],
  ],
  [
    'ingress',
    [
      [{ spec: {} }, ['Invalid spec']],
      [{ 'spec.rules.0.host': '1.2.3.4' }, ['Invalid spec.rules[0].host']],
      [{ 'spec.rules.0.host': '*.example.com' }, []],
      [{ 'spec.rules.0.host': 'a.*.com' }, ['Invalid spec.rules[0].host']],
      [{ 'spec.rules.0.http.paths.0.pathType': undefined }, ['Required spec.rules[0].http.paths[0].pathType']],
      [{ 'spec.rules.0.http.paths.0.path': 'x' }, ['Invalid spec.rules[0].http.paths[0].path']],
      [{ 'spec.rules.0.http.paths.0.backend': {} }, ['Invalid spec.rules[0].http.paths[0].backend']],
      [{ 'spec.rules.0.http.paths.0.backend.service.port': {} }, ['Required spec.rules[0].http.paths[0].backend']],
    ],
  ],
  ['ingressClass', [[{ 'spec.controller': 'c' }, ['Invalid spec.controller']]]],
  [
    'budget',
    [
      [{ 'spec.maxUnavailable': 1 }, ['Invalid spec']],
      [{ 'spec.minAvailable': '150%' }, ['Invalid spec.minAvailable']],
    ],
  ],
  [
    'autoscaler',
    [
      [{ 'spec.maxReplicas': 0 }, ['Invalid spec.maxReplicas', 'Invalid spec.maxReplicas']],
      [{ 'spec.scaleTargetRef.apiVersion': 'v1' }, ['Invalid spec.scaleTargetRef.apiVersion']],
      [{ 'spec.metrics': [{ type: 'Resource' }] }, ['Required spec.metrics[0].resource']],
    ],
  ],
  [
    'claim',
    [
      [{ 'spec.accessModes': [] }, ['Required spec.accessModes']],
      [{ 'spec.accessModes': ['Write'] }, ['NotSupported spec.accessModes']],
      [{ 'spec.resources': {} }, ['Required spec.resources[storage]']],
      [{ 'spec.resources.requests.storage': '0' }, ['Invalid spec.resources[storage]']],
    ],
  ],
  [
    'volume',
    [
      [{ 'spec.hostPath': undefined }, ['Required spec']],
      [{ 'spec.nfs': { server: 's', path: '/' } }, ['Forbidden spec.nfs']],
      [{ 'spec.capacity': { cpu: '1' } }, ['NotSupported spec.capacity']],
    ],
  ],
  ['storageClass', [[{ provisioner: '' }, ['Required provisioner']]]],
  [
    'priority',
    [
      [{ value: 2_000_000_000 }, ['Forbidden value']],
      [{ metadata: { name: 'system-mine' } }, ['Forbidden metadata.name']],
    ],
  ],
  ['runtime', [[{ handler: 'A' }, ['Invalid handler']]]],
  [
    'endpoints',
    [
      [{ 'subsets.0.addresses.0.ip': '127.0.0.1' }, ['Invalid subsets[0].addresses[0].ip']],
      [{ 'subsets.0.ports.0.port': 0 }, ['Invalid subsets[0].ports[0].port']],
    ],
  ],
  [
    'slice',
    [
      [{ addressType: undefined }, ['Required addressType']],
      [{ 'endpoints.0.addresses': [] }, ['Required endpoints[0].addresses']],
      [{ 'endpoints.0.addresses': ['::1'] }, ['Invalid endpoints[0].addresses', 'Invalid endpoints[0].addresses[0]']],
    ],
  ],
  [
    'quota',
    [
      [{ 'spec.hard': { pods: '1.5' } }, ['Invalid spec.hard[pods]']],
      [{ 'spec.hard': { bananas: '1' } }, ['Invalid spec.hard[bananas]', 'Invalid spec.hard[bananas]']],
      [{ 'spec.scopes': ['BestEffort', 'NotBestEffort'] }, ['Invalid spec.scopes']],
    ],
  ],
  [
    'limits',
    [
      [
        { 'spec.limits.0.min': { cpu: '3' } },
        [
          'Invalid spec.limits[0].defaultRequest[cpu]',
          'Invalid spec.limits[0].default[cpu]',
          'Invalid spec.limits[0].min[cpu]',
        ],
      ],
      [{ 'spec.limits.1': { type: 'Container' } }, ['Duplicate spec.limits[1].type']],
    ],
  ],
  [
    'request',
    [
      [{ 'spec.usages': [] }, ['Required spec.usages']],
      [{ 'spec.signerName': 'me' }, ['Invalid spec.signerName']],
      [{ 'spec.request': 'YQ==' }, ['Invalid spec.request']],
    ],
  ],
  ['flowSchema', [[{ 'spec.matchingPrecedence': 1 }, ['Invalid spec.matchingPrecedence']]]],
  [
    'level',
    [[{ 'spec.limited.limitResponse.queuing.handSize': 99 }, ['Invalid spec.limited.limitResponse.queuing.handSize']]],
  ],
  [
    'webhook',
    [
      [{ 'webhooks.0.name': 'a' }, ['Invalid webhooks[0].name']],
      [{ 'webhooks.0.sideEffects': undefined }, ['Required webhooks[0].sideEffects']],
      [{ 'webhooks.0.sideEffects': 'Some' }, ['NotSupported webhooks[0].sideEffects']],
      [{ 'webhooks.0.admissionReviewVersions': [] }, ['Required webhooks[0].admissionReviewVersions']],
      [{ 'webhooks.0.clientConfig': {} }, ['Required webhooks[0].clientConfig']],
      [{ 'webhooks.0.clientConfig': { url: 'http://a.b' } }, ['Invalid webhooks[0].clientConfig.url']],
      [{ 'webhooks.0.timeoutSeconds': 31 }, ['Invalid webhooks[0].timeoutSeconds']],
      [{ 'webhooks.0.rules.0.operations': ['READ'] }, ['NotSupported webhooks[0].rules[0].operations[0]']],
      [{ 'webhooks.0.rules.0.resources': ['*', 'pods'] }, ['Invalid webhooks[0].rules[0].resources']],
    ],
  ],
  [
    'admissionPolicy',
    [
      [{ 'spec.matchConstraints': undefined }, ['Required spec.matchConstraints']],
      [{ 'spec.validations': [] }, ['Required spec.auditAnnotations', 'Required spec.validations']],
      [{ 'spec.validations.0.expression': ' ' }, ['Required spec.validations[0].expression']],
    ],
  ],
  [
    'admissionBinding',
    [
      [{ 'spec.policyName': '' }, ['Required spec.policyName']],
      [{ 'spec.validationActions': ['Deny', 'Warn'] }, ['Invalid spec.validationActions']],
      [{ 'spec.paramRef': { name: 'n' } }, ['Required spec.paramRef.parameterNotFoundAction']],
    ],
  ],
  [
    'node',
    [
      [{ 'spec.podCIDR': 'all' }, ['Invalid spec.podCIDRs[0]']],
      [{ 'spec.taints': [{ key: 'a' }] }, ['Required metadata.taints[0].effect']],
    ],
  ],
  ['revision', [[{ data: undefined }, ['Required data']]]],
])('%s', (name, cases) => {
  it.each(cases)('is refused with %j: %j', (changes, causes) => {
    expect(creating(changed(BODIES[name], changes)).causes).toEqual(causes)
  })
})

it.each<[Name, Record<string, unknown>, string[]]>([
  ['binding', { 'roleRef.name': 'other' }, ['Invalid roleRef']],
  ['binding', { subjects: [] }, []],
  ['claim', { 'spec.accessModes': ['ReadWriteMany'] }, ['Forbidden spec']],
  ['claim', { 'spec.storageClassName': 'fast', 'spec.volumeName': 'v' }, []],
  ['volume', { 'spec.hostPath.path': '/y' }, ['Forbidden spec.persistentvolumesource']],
  ['storageClass', { provisioner: 'd.e/f' }, ['Forbidden provisioner']],
  ['priority', { value: 6 }, ['Forbidden value']],
  ['runtime', { handler: 'kata' }, ['Invalid handler']],
  ['slice', { addressType: 'IPv6', endpoints: [] }, ['Invalid addressType']],
  ['ingressClass', { 'spec.controller': 'd.e/f' }, ['Invalid spec.controller']],
  ['revision', { data: { a: 2 } }, ['Invalid data']],
  ['node', { 'spec.podCIDR': '10.2.0.0/24', 'spec.podCIDRs': ['10.2.0.0/24'] }, ['Forbidden spec.podCIDRs']],
  ['quota', { 'spec.scopes': ['BestEffort'] }, ['Invalid spec.scopes']],
])('a change of %s to %j', (name, changes, causes) => {
  expect(updating(BODIES[name], changes).causes).toEqual(causes)
})
