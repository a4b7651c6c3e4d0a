// The controller of ExecutorDeployments.

export { type ControllerPlace, controllerName } from './controller-place.ts'
export {
  CONTROLLER_TYPE,
  type DeploymentController,
  type DeploymentControllerOptions,
  deploymentController,
} from './deployment-controller.ts'
export { RUNTIMES, type RuntimeName } from './spec/deployment-spec.ts'
export { unreachableServer } from './spec/reachable-server.ts'
export { readDeploymentSpec } from './spec/read-deployment-spec.ts'
