// The contract of a target, the place where the executors of an ExecutorDeployment run: one for units of a runtime, one for
// clusters. The controller calls it and writes what it observed to the status.

import type { Replica } from '../deployment-status.ts'
import type { DeploymentSpec } from '../spec/deployment-spec.ts'
import type { Owner } from './unit-identity.ts'

export interface Work {
  readonly owner: Owner
  readonly signal: AbortSignal
  /** Called with one line for each action. */
  say(line: string): void
}

export interface Target {
  /** Makes the executors match the spec. False when they will match later without another action. */
  deploy(spec: DeploymentSpec, work: Work): Promise<boolean>
  /** The observed executors. Without a spec none counts as current. */
  replicas(owner: Owner, spec: DeploymentSpec | undefined): Promise<Replica[]>
  /** Removes all executors; resolves when none is left. */
  remove(work: Work): Promise<void>
}

/** Whether an executor of that name is online. */
export type Names = Pick<ReadonlySet<string>, 'has'>

export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`
}
