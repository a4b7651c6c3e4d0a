// kube-controller-manager's controllers for abandoned Pods and Nodes as a client: they delete and taint what is
// abandoned, and leave alone what the server looks after.

import { buildGo, needs, type Program } from './programs.ts'

/** The abandoned Pod is deleted, the abandoned Node is tainted, all others are as they were. */
const STEPS = ['collected', 'tainted', 'kept']

export const CONTROLLER_MANAGER: Program = {
  name: 'kube-controller-manager 1.37 (pod garbage collector, node lifecycle)',
  columns: STEPS,
  steps: STEPS,
  ...needs('go'),
  prepare: async () => [await buildGo('./controller-manager', 'go')],
}
