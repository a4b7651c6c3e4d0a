// The fields of Deployment, ReplicaSet, Job and Pod that this package reads or writes. The server has defaulted and validated
// the objects; defaulted fields are still optional here, so that a plan never fails for the lack of one.

import type { ApiObject } from '@homeostat/client'
import type { LabelRequirement, ObjectMeta } from '@homeostat/meta'

export interface Selector {
  matchLabels?: Record<string, string>
  matchExpressions?: { key: string; operator: string; values?: string[] }[]
}

export interface PodTemplate {
  metadata?: Pick<ObjectMeta, 'labels' | 'annotations' | 'finalizers'>
  spec?: PodSpec
}

/** As statuses of workloads have them. */
export interface WorkloadCondition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason?: string
  message?: string
  lastTransitionTime?: string
  lastUpdateTime?: string
  lastProbeTime?: string | null
}

export interface Deployment extends ApiObject {
  spec?: {
    replicas?: number
    selector?: Selector
    template?: PodTemplate
    strategy?: { type?: string; rollingUpdate?: { maxSurge?: number | string; maxUnavailable?: number | string } }
    minReadySeconds?: number
    revisionHistoryLimit?: number
    paused?: boolean
    progressDeadlineSeconds?: number
  }
  status?: DeploymentStatus
}

export interface DeploymentStatus {
  observedGeneration?: number
  replicas?: number
  updatedReplicas?: number
  readyReplicas?: number
  availableReplicas?: number
  unavailableReplicas?: number
  collisionCount?: number
  conditions?: WorkloadCondition[]
}

export interface ReplicaSet extends ApiObject {
  spec?: { replicas?: number; minReadySeconds?: number; selector?: Selector; template?: PodTemplate }
  status?: ReplicaSetStatus
}

export interface ReplicaSetStatus {
  replicas: number
  fullyLabeledReplicas?: number
  readyReplicas?: number
  availableReplicas?: number
  observedGeneration?: number
  conditions?: WorkloadCondition[]
}

export interface Job extends ApiObject {
  spec?: {
    parallelism?: number
    completions?: number
    completionMode?: string
    backoffLimit?: number
    /** An int64; a bigint if a number cannot hold it. */
    activeDeadlineSeconds?: number | bigint
    ttlSecondsAfterFinished?: number
    suspend?: boolean
    /** Another controller manages the job if this is not `kubernetes.io/job-controller`. */
    managedBy?: string
    selector?: Selector
    template?: PodTemplate
  }
  status?: JobStatus
}

export interface JobStatus {
  active?: number
  ready?: number
  terminating?: number
  succeeded?: number
  failed?: number
  startTime?: string
  completionTime?: string
  /** The indexes of an indexed job, as `0-2,5`. */
  completedIndexes?: string
  /** Pods that have ended and still have the finalizer: they are counted when it is gone. */
  uncountedTerminatedPods?: { succeeded?: string[]; failed?: string[] }
  conditions?: WorkloadCondition[]
}

export interface CronJob extends ApiObject {
  spec?: {
    schedule?: string
    timeZone?: string
    concurrencyPolicy?: string
    /** An int64; a bigint if a number cannot hold it. */
    startingDeadlineSeconds?: number | bigint
    suspend?: boolean
    successfulJobsHistoryLimit?: number
    failedJobsHistoryLimit?: number
    jobTemplate?: { metadata?: Pick<ObjectMeta, 'labels' | 'annotations'>; spec?: Job['spec'] }
  }
  status?: CronJobStatus
}

export interface CronJobStatus {
  active?: JobReference[]
  lastScheduleTime?: string
  lastSuccessfulTime?: string
}

export interface JobReference {
  apiVersion?: string
  kind?: string
  namespace?: string
  name?: string
  uid?: string
  resourceVersion?: string
}

export interface Pod extends ApiObject {
  spec?: PodSpec
  status?: PodStatus
}

export interface Node extends ApiObject {
  spec?: { unschedulable?: boolean; taints?: Taint[] }
  status?: NodeStatus
}

export interface NodeStatus {
  addresses?: { type: string; address: string }[]
  capacity?: Record<string, string>
  allocatable?: Record<string, string>
  conditions?: NodeCondition[]
  nodeInfo?: Record<string, string>
  [field: string]: unknown
}

export interface NodeCondition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason?: string
  message?: string
  lastHeartbeatTime?: string
  lastTransitionTime?: string
}

export interface Taint {
  key: string
  value?: string
  effect: string
}

export interface Toleration {
  key?: string
  operator?: string
  value?: string
  effect?: string
}

export interface PodSpec {
  nodeName?: string
  nodeSelector?: Record<string, string>
  tolerations?: Toleration[]
  schedulingGates?: { name: string }[]
  runtimeClassName?: string
  hostNetwork?: boolean
  restartPolicy?: string
  hostname?: string
  terminationGracePeriodSeconds?: number
  serviceAccountName?: string
  automountServiceAccountToken?: boolean
  containers?: Container[]
  initContainers?: Container[]
  readinessGates?: { conditionType: string }[]
  volumes?: ({ name: string; hostPath?: { path: string } } & Record<string, unknown>)[]
}

export interface Container {
  name: string
  image?: string
  imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never'
  command?: string[]
  args?: string[]
  workingDir?: string
  env?: EnvVar[]
  envFrom?: EnvFrom[]
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean; subPath?: string }[]
  ports?: { name?: string; containerPort: number }[]
  /** `Always` makes an init container a sidecar. */
  restartPolicy?: string
  readinessProbe?: Probe
}

export interface Probe {
  exec?: { command?: string[] }
  httpGet?: {
    path?: string
    port: number | string
    host?: string
    scheme?: string
    httpHeaders?: { name: string; value: string }[]
  }
  tcpSocket?: { port: number | string; host?: string }
  grpc?: unknown
  initialDelaySeconds?: number
  timeoutSeconds?: number
  periodSeconds?: number
  successThreshold?: number
  failureThreshold?: number
}

interface KeyRef {
  name?: string
  key: string
  optional?: boolean
}

export interface EnvVar {
  name: string
  value?: string
  valueFrom?: {
    configMapKeyRef?: KeyRef
    secretKeyRef?: KeyRef
    fieldRef?: { fieldPath: string }
    resourceFieldRef?: { resource: string }
  }
}

export interface EnvFrom {
  prefix?: string
  configMapRef?: { name?: string; optional?: boolean }
  secretRef?: { name?: string; optional?: boolean }
}

export interface PodStatus {
  phase?: string
  reason?: string
  message?: string
  startTime?: string
  hostIP?: string
  hostIPs?: { ip: string }[]
  podIP?: string
  podIPs?: { ip: string }[]
  conditions?: PodCondition[]
  containerStatuses?: ContainerStatus[]
  initContainerStatuses?: ContainerStatus[]
  [field: string]: unknown
}

export type PodCondition = WorkloadCondition

export interface ContainerStatus {
  name: string
  image: string
  imageID: string
  containerID?: string
  ready: boolean
  started?: boolean
  restartCount: number
  state?: ContainerState
  lastState?: ContainerState
}

export interface ContainerState {
  waiting?: { reason?: string; message?: string }
  running?: { startedAt?: string }
  terminated?: Terminated
}

export interface Terminated {
  exitCode: number
  reason?: string
  message?: string
  startedAt?: string
  finishedAt?: string
  containerID?: string
}

/** The requirements of a selector, for `labelSelector` of @homeostat/meta. */
export function requirementsOf({ matchLabels = {}, matchExpressions = [] }: Selector): LabelRequirement[] {
  const labels = Object.entries(matchLabels).map(([key, value]) => ({ key, operator: '=' as const, values: [value] }))
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    const known = OPERATORS[operator]
    if (!known) throw new Error(`"${operator}" is not an operator of a label selector`)
    return { key, operator: known, values: values.toSorted() }
  })
  return [...labels, ...expressions]
}

const OPERATORS: Readonly<Record<string, LabelRequirement['operator']>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
}
