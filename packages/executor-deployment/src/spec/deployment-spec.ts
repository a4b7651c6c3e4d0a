// The spec of an ExecutorDeployment in its normal form. read-deployment-spec.ts makes it; the targets act on it.

import type { Fields } from './spec-places.ts'

export const RUNTIMES = ['local', 'docker', 'kubernetes'] as const
export type RuntimeName = (typeof RUNTIMES)[number]
export type PullPolicy = 'Always' | 'IfNotPresent' | 'Never'

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
  readonly executorType: string
  readonly image?: string
  readonly env: Readonly<Record<string, string>>
  readonly volumes: readonly Volume[]
  readonly command?: readonly string[]
  readonly pullPolicy?: PullPolicy
  /** Containers use the host's network, and so reach a server on loopback. */
  readonly hostNetwork: boolean
  readonly placement: Placement
  /** Fields that this runtime ignores, for a warning. */
  readonly unused: readonly string[]
}
