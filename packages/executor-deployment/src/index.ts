// The controller of ExecutorDeployments.

export {
  CONTROLLER_TYPE,
  type DeploymentController,
  type DeploymentControllerOptions,
  deploymentController,
} from './deployment-controller.ts'
export { unreachableServer } from './spec/reachable-server.ts'
export { readDeploymentSpec } from './spec/read-deployment-spec.ts'
