// What the command and the dashboard show of a colony, and neither asks of the server: the entry `./views`. Pure.

export { type ExecutorFacts, executorFacts, executorKey, type HeartbeatLease } from './executor-facts.ts'
export { COMPOSITE, nobodyOnline } from './nobody-online.ts'
export { type NodeState, nodePhases } from './node-phases.ts'
export { type RetryManifest, retryManifest } from './retry-manifest.ts'
