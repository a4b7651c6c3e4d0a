// The operators of Deployments, ReplicaSets, Jobs, CronJobs, Pods and Nodes on the given runtimes, for `run` of @homeostat/operator.

import type { Controlled } from '@homeostat/operator'
import { cronJobController } from './cron-job/cron-job-controller.ts'
import { deploymentController } from './deployment/deployment-controller.ts'
import { jobController } from './job/job-controller.ts'
import { nodeController } from './node/node-controller.ts'
import { nodeRuntimes } from './node/runtime-node.ts'
import { thisMachine } from './node/this-machine.ts'
import { type PodControllerOptions, podController } from './pod/pod-controller.ts'
import { replicaSetController } from './replica-set/replica-set-controller.ts'

export function workloads(options: PodControllerOptions): Controlled[] {
  const names = options.runtimes.map(({ name }) => name)
  if (!names.includes(options.defaultRuntime)) {
    throw new Error(
      `the default runtime "${options.defaultRuntime}" is not among those given: ${names.join(', ') || 'none'}`,
    )
  }
  const { runtimes, defaultRuntime, machine = thisMachine() } = options
  return [
    deploymentController(),
    replicaSetController(),
    jobController(),
    cronJobController(),
    podController({ ...options, machine }),
    nodeController({ runtimes: nodeRuntimes(runtimes, defaultRuntime), machine }),
  ]
}
