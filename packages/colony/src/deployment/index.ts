// The controller of ExecutorDeployments.

export {
  CONTROLLER_TYPE,
  type DeploymentController,
  type DeploymentControllerOptions,
  deploymentController,
} from './deployment-controller.ts'
