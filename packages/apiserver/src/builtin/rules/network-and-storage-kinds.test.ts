// Kinds with few rules around pods: networking, storage, nodes, autoscalers, budgets, revisions.

import { testKinds } from './test-kinds.fixture.ts'

const net = 'networking.k8s.io/v1'
const storage = 'storage.k8s.io/v1'

const BODIES = {
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
  node: { apiVersion: 'v1', kind: 'Node', spec: { podCIDR: '10.1.0.0/24' }, status: { capacity: { cpu: '1' } } },
  revision: { apiVersion: 'apps/v1', kind: 'ControllerRevision', revision: 1, data: { a: 1 } },
}

testKinds(BODIES, {
  completed: [
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
    ['endpoints', { subsets: [{ ports: [{ protocol: 'TCP' }] }] }],
    ['slice', { ports: [{ name: '', protocol: 'TCP' }] }],
    ['node', { spec: { podCIDRs: ['10.1.0.0/24'] }, status: { allocatable: { cpu: '1' } } }],
  ],
  refused: [
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
      'node',
      [
        [{ 'spec.podCIDR': 'all' }, ['Invalid spec.podCIDRs[0]']],
        [{ 'spec.taints': [{ key: 'a' }] }, ['Required metadata.taints[0].effect']],
      ],
    ],
    ['revision', [[{ data: undefined }, ['Required data']]]],
  ],
  updated: [
    ['claim', { 'spec.accessModes': ['ReadWriteMany'] }, ['Forbidden spec']],
    ['claim', { 'spec.storageClassName': 'fast', 'spec.volumeName': 'v' }, []],
    ['volume', { 'spec.hostPath.path': '/y' }, ['Forbidden spec.persistentvolumesource']],
    ['storageClass', { provisioner: 'd.e/f' }, ['Forbidden provisioner']],
    ['slice', { addressType: 'IPv6', endpoints: [] }, ['Invalid addressType']],
    ['ingressClass', { 'spec.controller': 'd.e/f' }, ['Invalid spec.controller']],
    ['revision', { data: { a: 2 } }, ['Invalid data']],
    ['node', { 'spec.podCIDR': '10.2.0.0/24', 'spec.podCIDRs': ['10.2.0.0/24'] }, ['Forbidden spec.podCIDRs']],
  ],
})
