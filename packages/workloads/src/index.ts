// Runs Deployments, ReplicaSets, Jobs and Pods on runtimes; each runtime has a Node.

export type { PodControllerOptions } from './pod/pod-controller.ts'
export { type PodLogs, podLogs } from './pod/pod-logs.ts'
export { workloads } from './workloads.ts'
