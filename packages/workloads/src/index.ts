// Deployment, ReplicaSet, Job and Pod on runtimes, each with its Node.

export type { PodControllerOptions } from './pod/pod-controller.ts'
export { type PodLogs, podLogs } from './pod/pod-logs.ts'
export { workloads } from './workloads.ts'
