// One reconcile of one ExecutorDeployment: parses the spec, has its target act on it, and writes the observed executors to
// the status. A failure is written to the status and ends the reconcile.

import { existsSync } from 'node:fs'
import { messageOf } from '@homeostat/base'
import { PermanentError, type ProcessContext } from '@homeostat/executor'
import { deepEqual } from '@homeostat/meta'
import { type ControllerPlace, dutyOf, ONLY_PLACE, refusedFormer } from './controller-place.ts'
import { type DeploymentResource, readResource } from './deployment-resource.ts'
import {
  type DeployedTo,
  type DeploymentStatus,
  deploymentStatus,
  type Findings,
  type Replica,
} from './deployment-status.ts'
import type { DeploymentSpec } from './spec/deployment-spec.ts'
import { forbiddenField } from './spec/forbidden-field.ts'
import { unreachableServer } from './spec/reachable-server.ts'
import { readDeploymentSpec } from './spec/read-deployment-spec.ts'
import { clusterNamespace } from './targets/cluster-manifest.ts'
import { counted, type Target, type Work } from './targets/target.ts'
import type { Targets } from './targets/targets.ts'

export interface ReconcileOptions {
  readonly targets: Targets
  /** Default: the only place there is. */
  readonly place?: ControllerPlace
  /** Whether resources may name programs of this machine to run. */
  readonly allowCommands: boolean
  /** The URL of the server for the executors. */
  readonly server?: string | undefined
  say(line: string): void
  now(): number
}

const NEEDS_LEAVE = "chooses what runs on the controller's machine; start the controller with --allow-commands"

type Context = Pick<ProcessContext, 'kwargs' | 'signal' | 'log' | 'status' | 'requeueAfter'>

/** When another controller goes on with executors that left here. */
const NEXT_PLACE = '1s'

/** When to reconcile again if executors will be ready without another action. */
const LOOK_AGAIN = '5s'

export async function reconcileDeployment(context: Context, options: ReconcileOptions): Promise<object> {
  const resource = readResource(context.kwargs)
  const say = (line: string) => {
    options.say(line)
    context.log(line)
  }
  const run = new Reconcile(resource, { owner: resource.owner, signal: context.signal, say }, context, options)
  say(`Reconciling ${resource.kind}/${resource.owner.name}`)
  return resource.isDeleting ? run.remove() : run.deploy()
}

class Reconcile {
  readonly #resource: DeploymentResource
  readonly #work: Work
  readonly #context: Context
  readonly #options: ReconcileOptions
  readonly #place: ControllerPlace
  #deployedTo: DeployedTo | undefined

  constructor(resource: DeploymentResource, work: Work, context: Context, options: ReconcileOptions) {
    this.#resource = resource
    this.#work = work
    this.#context = context
    this.#options = options
    const { place = ONLY_PLACE } = options
    const { location } = place
    this.#place = place
    const former = resource.status.deployedTo
    // One that was deployed before the controller had a location, or whose case differs, is not moved for that.
    const isKept = former?.location === undefined || former.location.toLowerCase() === location?.toLowerCase()
    this.#deployedTo = former && isKept && location !== undefined ? { ...former, location } : former
  }

  async deploy(): Promise<object> {
    const reading = readDeploymentSpec(this.#resource.spec)
    const refusal = 'spec' in reading ? this.#forbidden(reading.spec) : refusalOf(reading)
    if (refusal || !('spec' in reading)) {
      await this.#report({ wanted: undefined, ...(refusal && { refusal }) }, undefined)
      throw new PermanentError(refusal?.message)
    }
    const { spec } = reading
    for (const line of describe(spec)) this.#work.say(line)
    const duty = dutyOf(this.#place, this.#deployedTo, spec)
    if (duty.do === 'refuse') throw new Error(duty.why)
    if (duty.do === 'leave') return this.#leave(duty.for, spec)
    for (const warning of this.#warnings(spec)) this.#work.say(`Warning: ${warning}`)
    try {
      await this.#moveTo(this.#placeOf(spec), spec)
      const isDone = await this.#at(this.#placeOf(spec), (target) => target.deploy(spec, this.#work))
      const status = await this.#report({ wanted: spec.replicas, unused: spec.unused }, spec)
      return this.#finish(status, isDone)
    } catch (error) {
      // After an abort nothing accepts a status any more.
      if (!this.#work.signal.aborted) await this.#reportFailure(error, spec.replicas, spec)
      throw error
    }
  }

  async remove(): Promise<object> {
    const refused = refusedFormer(this.#place, this.#deployedTo)
    if (refused) throw new Error(refused.why)
    try {
      const reading = readDeploymentSpec(this.#resource.spec)
      // A forbidden spec was never deployed.
      const isAllowed = 'spec' in reading && this.#forbidden(reading.spec) === undefined
      const isHere = isAllowed && dutyOf(this.#place, undefined, reading.spec).do === 'deploy'
      const place = isHere ? this.#placeOf(reading.spec) : undefined
      const former = this.#deployedTo
      if (former) await this.#at(former, (target) => target.remove(this.#work))
      if (place && !deepEqual(former, place)) await this.#removeIfReached(place)
    } catch (error) {
      if (!this.#work.signal.aborted) await this.#reportFailure(error, 0, undefined)
      throw error
    }
    this.#work.say('Reconciliation complete: all replicas are gone')
    return { ready: 0 }
  }

  /** An earlier reconcile may have deployed to the target and ended before it wrote that. An unreachable target was not used. */
  async #removeIfReached(place: DeployedTo): Promise<void> {
    try {
      await this.#at(place, (target) => target.replicas(this.#work.owner, undefined))
    } catch (error) {
      if (this.#work.signal.aborted) throw error
      const why = messageOf(error)
      this.#work.say(`Nothing was ever deployed to ${place.runtime}, which cannot be reached: ${why}`)
      return
    }
    await this.#at(place, (target) => target.remove(this.#work))
  }

  /** The status may come from another client, or from a controller with more permissions. */
  async #at<T>(place: DeployedTo, work: (target: Target) => Promise<T>): Promise<T> {
    if (place.kubeconfig !== undefined && !this.#options.allowCommands) {
      throw new Error(`status.deployedTo.kubeconfig ${NEEDS_LEAVE}`)
    }
    return this.#options.targets.at(place, work)
  }

  #forbidden(spec: DeploymentSpec): Findings['refusal'] {
    const field = this.#options.allowCommands ? undefined : forbiddenField(spec)
    if (field === undefined) return undefined
    return { reason: 'NotAllowed', message: `${field} ${NEEDS_LEAVE}` }
  }

  #placeOf(spec: DeploymentSpec): DeployedTo {
    const { location } = this.#place
    const here = { runtime: spec.runtime, ...(location !== undefined && { location }) }
    if (spec.runtime !== 'kubernetes') return here
    const { kubeconfig } = spec.placement
    return {
      ...here,
      namespace: clusterNamespace(this.#work.owner, spec),
      ...(kubeconfig !== undefined && { kubeconfig }),
    }
  }

  /** The next reconcile goes to the controller of the place where they are wanted. */
  async #leave(movesTo: string, spec: DeploymentSpec): Promise<object> {
    try {
      if (this.#deployedTo) await this.#at(this.#deployedTo, (target) => target.remove(this.#work))
    } catch (error) {
      if (!this.#work.signal.aborted) await this.#reportFailure(error, spec.replicas, spec)
      throw error
    }
    this.#deployedTo = undefined
    await this.#report({ wanted: spec.replicas, movesTo }, spec)
    this.#context.requeueAfter(NEXT_PLACE)
    this.#work.say(`Reconciliation goes on elsewhere: for ${movesTo}`)
    return { ready: 0 }
  }

  /** Opens the new target before it leaves the former one, so that executors keep running until they can move. */
  async #moveTo(place: DeployedTo, spec: DeploymentSpec): Promise<void> {
    const former = this.#deployedTo
    if (deepEqual(former, place)) return
    await this.#at(place, (target) => target.replicas(this.#work.owner, spec))
    if (former) await this.#at(former, (target) => target.remove(this.#work))
    // Recorded only now: a target that was never reached has nothing to remove.
    this.#deployedTo = place
  }

  #finish(status: DeploymentStatus, isDone: boolean): object {
    const { phase, ready = 0, message } = status
    if (phase !== 'Running' && isDone) throw new Error(message)
    if (!isDone) this.#context.requeueAfter(LOOK_AGAIN)
    const news = isDone ? `complete: ${counted(ready, 'replica')} running` : `goes on: ${message}`
    this.#work.say(`Reconciliation ${news}`)
    return { ready, deployedExecutors: status.deployedExecutors }
  }

  async #reportFailure(error: unknown, wanted: number, spec: DeploymentSpec | undefined): Promise<void> {
    const message = messageOf(error)
    await this.#report({ wanted, error: message, ...(spec && { unused: spec.unused }) }, spec)
    this.#work.say(`Reconciliation failed: ${message}`)
  }

  async #report(findings: Partial<Findings> & Pick<Findings, 'wanted'>, spec: DeploymentSpec | undefined) {
    const { owner, isDeleting, status: previous } = this.#resource
    const warnings = spec ? this.#warnings(spec) : []
    const common = {
      generation: owner.generation,
      isDeleting,
      deployedTo: this.#deployedTo,
      ...(warnings.length > 0 && { warnings }),
    }
    const replicas = await this.#replicas(spec)
    const status = deploymentStatus(previous, { ...common, replicas, ...findings }, this.#options.now())
    this.#context.status({ ...status })
    return status
  }

  /** Warnings about a spec that can be deployed but will not work. Docker itself reports missing folders. */
  #warnings(spec: DeploymentSpec): string[] {
    const unreachable = unreachableServer(spec, this.#options.server)
    const missing = spec.runtime === 'local' ? spec.volumes.filter(({ source }) => !existsSync(source)) : []
    return [
      ...(unreachable === undefined ? [] : [unreachable]),
      ...missing.map(({ source }) => `spec.config.volumes: there is no file or folder ${source} on this machine`),
    ]
  }

  /** A target that cannot be reached was reported already. */
  async #replicas(spec: DeploymentSpec | undefined): Promise<Replica[]> {
    const place = this.#deployedTo
    if (!place) return []
    try {
      return await this.#at(place, (target) => target.replicas(this.#work.owner, spec))
    } catch (error) {
      if (this.#context.signal.aborted) throw error
      return []
    }
  }
}

function refusalOf(reading: ReturnType<typeof readDeploymentSpec>): Findings['refusal'] {
  if ('spec' in reading) return undefined
  const message = reading.problems.map((problem) => `${problem.field} ${problem.message}`).join('; ')
  return { reason: reading.reason, message }
}

function describe({ runtime, replicas, executorType, image }: DeploymentSpec): string[] {
  const lines = [`  Runtime: ${runtime}`, `  Replicas: ${replicas}`, `  ExecutorType: ${executorType}`]
  return image === undefined ? lines : [...lines, `  Image: ${image}`]
}
