// Where the executors of an ExecutorDeployment live. There is one for units of a runtime and one for clusters; the
// controller calls them and says in the status what they found.

import type { Replica } from '../deployment-status.ts'
import type { DeploymentSpec } from '../spec/deployment-spec.ts'
import type { Owner } from './unit-identity.ts'

export interface Work {
  readonly owner: Owner
  readonly signal: AbortSignal
  /** One line of what is being done. */
  say(line: string): void
}

export interface Target {
  /** Makes it so. False when it will be so without further doing, later. */
  deploy(spec: DeploymentSpec, work: Work): Promise<boolean>
  /** What is there. Without a spec nothing is current. */
  replicas(owner: Owner, spec: DeploymentSpec | undefined): Promise<Replica[]>
  /** Resolves when nothing is left. */
  remove(work: Work): Promise<void>
}

/** Whether a name is among them. */
export type Names = Pick<ReadonlySet<string>, 'has'>

export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`
}
