// The spec of an ExecutorDeployment in its normal form. read-deployment-spec.ts makes it; the targets act on it.

import type { PublishedPort, PullPolicy } from '@homeostat/runtimes'
import type { Fields } from './spec-places.ts'

export const RUNTIMES = ['local', 'docker', 'kubernetes'] as const
export type RuntimeName = (typeof RUNTIMES)[number]

export interface Volume {
  readonly source: string
  readonly target: string
  readonly readOnly?: boolean
}

/** Only for `kubernetes`; fields of Kubernetes are passed on without validation. */
export interface Placement {
  /** Default: the namespace of the resource. */
  readonly namespace?: string
  /** A file of the controller's machine. Default: the controller's own. */
  readonly kubeconfig?: string
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly tolerations?: readonly Fields[]
  readonly resources?: Fields
  readonly podVolumes?: readonly Fields[]
  readonly volumeMounts?: readonly Fields[]
}

export interface DeploymentSpec {
  readonly runtime: RuntimeName
  readonly replicas: number
  /** Only a controller at this location deploys it. */
  readonly location?: string
  readonly executorType: string
  readonly image?: string
  readonly env: Readonly<Record<string, string>>
  readonly volumes: readonly Volume[]
  readonly command?: readonly string[]
  readonly pullPolicy?: PullPolicy
  /** Secrets of the resource's namespace with the logins of registries. */
  readonly pullSecrets: readonly string[]
  /** Only for `docker`. */
  readonly ports: readonly PublishedPort[]
  /** Only for `docker`; pods have `placement.resources`. */
  readonly limits?: { readonly cpu?: number; readonly memory?: number }
  /** Containers use the host's network, and so reach a server on loopback. */
  readonly hostNetwork: boolean
  readonly placement: Placement
  /** Fields that this runtime ignores, for a warning. */
  readonly unused: readonly string[]
}
