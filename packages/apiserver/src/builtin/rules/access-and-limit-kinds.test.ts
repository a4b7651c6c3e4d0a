// Kinds with few rules that grant, refuse or limit: roles, admission, flow control, quotas, certificates, classes.

import { testKinds } from './test-kinds.fixture.ts'

const rbac = 'rbac.authorization.k8s.io/v1'
const admission = 'admissionregistration.k8s.io/v1'
const flow = 'flowcontrol.apiserver.k8s.io/v1'

const selectors = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} }

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
  priority: { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', value: 5 },
  runtime: { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', handler: 'runc' },
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
}

testKinds(BODIES, {
  completed: [
    [
      'binding',
      {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io' }, { kind: 'ServiceAccount', name: 'sa' }],
      },
    ],
    ['priority', { preemptionPolicy: 'PreemptLowerPriority' }],
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
  ],
  refused: [
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
      'priority',
      [
        [{ value: 2_000_000_000 }, ['Forbidden value']],
        [{ metadata: { name: 'system-mine' } }, ['Forbidden metadata.name']],
      ],
    ],
    ['runtime', [[{ handler: 'A' }, ['Invalid handler']]]],
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
      [
        [
          { 'spec.limited.limitResponse.queuing.handSize': 99 },
          ['Invalid spec.limited.limitResponse.queuing.handSize'],
        ],
      ],
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
  ],
  updated: [
    ['binding', { 'roleRef.name': 'other' }, ['Invalid roleRef']],
    ['binding', { subjects: [] }, []],
    ['priority', { value: 6 }, ['Forbidden value']],
    ['runtime', { handler: 'kata' }, ['Invalid handler']],
    ['quota', { 'spec.scopes': ['BestEffort'] }, ['Invalid spec.scopes']],
  ],
})
