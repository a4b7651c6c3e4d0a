// One right object of each kind that has numbers, with as many of its parts as go together: a number is put into it and the
// rest is accepted. A kind without a sample gets its identity alone.

type Fields = Record<string, unknown>

const labels = { app: 'numbers' }
const selector = { matchLabels: labels }

const probe = { httpGet: { path: '/', port: 80 }, periodSeconds: 10, terminationGracePeriodSeconds: 10 }

const container = {
  name: 'c',
  image: 'i',
  ports: [{ containerPort: 80 }],
  livenessProbe: probe,
  readinessProbe: { httpGet: { path: '/', port: 80 } },
  startupProbe: probe,
  lifecycle: { postStart: { sleep: { seconds: 1 } } },
  resources: { limits: { cpu: '1', memory: '1Gi' } },
  securityContext: { runAsUser: 1 },
}

const podSpec = {
  terminationGracePeriodSeconds: 2,
  securityContext: { runAsUser: 1, supplementalGroups: [1] },
  tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
  containers: [container],
  volumes: [
    { name: 'v', emptyDir: {} },
    { name: 's', secret: { secretName: 's', items: [{ key: 'k', path: 'p' }] } },
    { name: 't', projected: { sources: [{ serviceAccountToken: { path: 'p', expirationSeconds: 3600 } }] } },
  ],
}

const template = { metadata: { labels }, spec: podSpec }
const jobTemplate = { ...template, spec: { ...podSpec, restartPolicy: 'Never' } }
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }
const time = '2026-01-01T00:00:00.000000Z'

const samples: Readonly<Record<string, Fields>> = {
  'v1 Pod': { spec: podSpec },
  'v1 PodTemplate': { template },
  'v1 ReplicationController': { spec: { replicas: 0, selector: labels, template } },
  'v1 Service': { spec: { ports: [{ port: 80 }], sessionAffinity: 'ClientIP' } },
  'v1 Endpoints': { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] },
  'v1 Event': { involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' }, reason: 'R', count: 1 },
  'v1 PersistentVolume': {
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
  },
  'v1 PersistentVolumeClaim': {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  'v1 ResourceQuota': { spec: { hard: { pods: '10' } } },
  'v1 LimitRange': { spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] } },
  'apps/v1 Deployment': { spec: { replicas: 0, selector, template } },
  'apps/v1 ReplicaSet': { spec: { replicas: 0, selector, template } },
  'apps/v1 StatefulSet': { spec: { replicas: 0, serviceName: 's', selector, template } },
  'apps/v1 DaemonSet': { spec: { selector, template } },
  'apps/v1 ControllerRevision': { revision: 1, data: {} },
  'batch/v1 Job': { spec: { template: jobTemplate } },
  'batch/v1 CronJob': { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: jobTemplate } } } },
  'autoscaling/v1 HorizontalPodAutoscaler': { spec: { maxReplicas: 3, scaleTargetRef } },
  'autoscaling/v2 HorizontalPodAutoscaler': { spec: { maxReplicas: 3, scaleTargetRef } },
  'policy/v1 PodDisruptionBudget': { spec: { selector } },
  'coordination.k8s.io/v1 Lease': { spec: { holderIdentity: 'h', leaseDurationSeconds: 15 } },
  'discovery.k8s.io/v1 EndpointSlice': {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'] }],
    ports: [{ name: 'p', port: 80 }],
  },
  'events.k8s.io/v1 Event': {
    eventTime: time,
    regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
    action: 'A',
    reason: 'R',
    type: 'Normal',
    reportingController: 'x.y/z',
    reportingInstance: 'i',
    series: { count: 2, lastObservedTime: time },
  },
  'networking.k8s.io/v1 NetworkPolicy': { spec: { podSelector: {}, egress: [{ ports: [{ port: 53 }] }] } },
  'networking.k8s.io/v1 Ingress': {
    spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
  },
  'scheduling.k8s.io/v1 PriorityClass': { value: 1 },
  'storage.k8s.io/v1 StorageClass': { provisioner: 'x.y/z' },
  'storage.k8s.io/v1 CSIDriver': { spec: {} },
  'storage.k8s.io/v1 CSINode': {
    spec: { drivers: [{ name: 'x.y', nodeID: 'n', allocatable: { count: 1 } }] },
  },
  'colonies.io/v1 Process': { spec: { funcName: 'f', conditions: { executorType: 'numbers' } } },
  'colonies.io/v1 Executor': { spec: { type: 'numbers' } },
  'colonies.io/v1 ResourceDefinition': definition('ResourceDefinition'),
  'colonies.io/v1 CustomResourceDefinition': definition('CustomResourceDefinition'),
  'cloudnative.elide.dev/v1 Application': { spec: { image: 'i', replicas: 1 } },
  'flowcontrol.apiserver.k8s.io/v1 FlowSchema': { spec: { priorityLevelConfiguration: { name: 'p' } } },
  'flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration': {
    spec: {
      type: 'Limited',
      limited: { limitResponse: { type: 'Queue', queuing: { queues: 8, handSize: 2, queueLengthLimit: 10 } } },
    },
  },
  'node.k8s.io/v1 RuntimeClass': { handler: 'h', overhead: { podFixed: { cpu: '1' } } },
  'storage.k8s.io/v1 CSIStorageCapacity': { storageClassName: 's', capacity: '1Gi' },
  'storage.k8s.io/v1 VolumeAttachment': {
    spec: { attacher: 'x.y', nodeName: 'n', source: { persistentVolumeName: 'p' } },
  },
}

function definition(kind: string): Fields {
  const names = { kind: `Of${kind}`, plural: `of${kind.toLowerCase()}s` }
  const handler = { executorType: 'numbers', functionName: 'f', reconcileInterval: 60 }
  return { spec: { group: 'numbers.example.org', version: 'v1', names, handler } }
}

export function sampleOf(apiVersion: string, kind: string): Fields {
  return samples[`${apiVersion} ${kind}`] ?? {}
}
