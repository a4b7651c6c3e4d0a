// The controller of ExecutorDeployments.

export {
  CONTROLLER_TYPE,
  type DeploymentController,
  type DeploymentControllerOptions,
  deploymentController,
} from './deployment-controller.ts'
export { readDeploymentSpec } from './deployment-spec.ts'
export { unreachableServer } from './reachable-server.ts'
