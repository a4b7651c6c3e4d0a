// kube-controller-manager's controllers for abandoned Pods and Nodes as a client: they delete and taint what is
// abandoned, and leave alone what the server looks after.

import { buildGo, needs, type Program } from './programs.ts'

/** Manager and controllers may do no more than their roles. The abandoned Pod is deleted, the abandoned Node is tainted, all others are as they were. */
const STEPS = ['limits', 'collected', 'tainted', 'kept']

const core = (resources: readonly string[], verbs: readonly string[]) => ({ apiGroups: [''], resources, verbs })

/** Reads everything for its caches, and makes accounts and tokens for its controllers. */
const MANAGER = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['list', 'watch'] },
  core(['serviceaccounts'], ['get', 'create']),
  core(['serviceaccounts/token'], ['create']),
]
const COLLECTOR = [
  core(['pods'], ['list', 'delete']),
  core(['pods/status'], ['patch']),
  core(['nodes'], ['get', 'list']),
]
const NODES = [
  core(['nodes'], ['get', 'list', 'patch', 'update']),
  core(['nodes/status'], ['patch', 'update']),
  core(['pods'], ['get', 'list', 'delete']),
  core(['pods/status'], ['patch', 'update']),
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get'] },
  { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch', 'update'] },
]

export const CONTROLLER_MANAGER: Program = {
  name: 'kube-controller-manager 1.37 (pod garbage collector, node lifecycle)',
  columns: STEPS,
  steps: STEPS,
  manager: {
    user: 'system:kube-controller-manager',
    rules: MANAGER,
    accounts: { 'pod-garbage-collector': COLLECTOR, 'node-controller': NODES },
  },
  ...needs('go'),
  prepare: async () => [await buildGo('./controller-manager', 'go')],
}
