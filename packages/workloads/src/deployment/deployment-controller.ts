// The controller of Deployments: reads a deployment and its replica sets, and carries out what `planRollout` decides. It
// creates no pods.

import { messageOf } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { isStatusError, labelSelector } from '@homeostat/meta'
import type { Behaviour, Cluster, Controlled, Outcome, ReconcileContext } from '@homeostat/operator'
import { again } from '../again.ts'
import { type Deployment, type Pod, type ReplicaSet, requirementsOf } from '../kinds.ts'
import { candidates, claim, claimable } from '../ownership/claim.ts'
import { controllerOf } from '../ownership/claim-plan.ts'
import { hasEnded } from '../replica-set/replica-plan.ts'
import { writeOptions, writeStatus } from '../write-status.ts'
import { progressing, withCondition } from './deployment-status.ts'
import { REVISION } from './revisions.ts'
import { isRecreate } from './rollout-bounds.ts'
import { planRollout, type RolloutAction } from './rollout-plan.ts'
import { sameTemplate } from './template-hash.ts'

const APPS = 'apps/v1'

export function deploymentController(): Controlled {
  let controller: DeploymentController | undefined
  return {
    apiVersion: APPS,
    kind: 'Deployment',
    reports: false,
    createBehaviour(cluster) {
      controller = new DeploymentController(cluster)
      return controller as Behaviour
    },
    watches: [
      { apiVersion: APPS, kind: 'ReplicaSet', map: (set) => controller?.deploymentsOf(set) ?? [] },
      { apiVersion: 'v1', kind: 'Pod', map: (pod) => controller?.waitingFor(pod) ?? [] },
    ],
  }
}

class DeploymentController implements Behaviour<Deployment> {
  readonly #cluster: Cluster
  readonly #deployments
  readonly #sets
  readonly #pods

  constructor(cluster: Cluster) {
    this.#cluster = cluster
    this.#deployments = cluster.informer<Deployment>(APPS, 'Deployment')
    this.#sets = claimable<ReplicaSet>(cluster, APPS, 'ReplicaSet')
    this.#pods = claimable<Pod>(cluster, 'v1', 'Pod')
  }

  async reconcile(run: ReconcileContext<Deployment>): Promise<Outcome> {
    const deployment = run.object
    const selector = deployment.spec?.selector ?? {}
    if (requirementsOf(selector).length === 0) {
      const message = 'This deployment is selecting all pods. A non-empty selector is required.'
      run.event({ type: 'Warning', reason: 'SelectingAll', message })
      return
    }
    const sets = await claim(this.#cluster, deployment, candidates(this.#sets, deployment), run.signal)
    const hasPods = (set: ReplicaSet) =>
      candidates(this.#pods, set).some((pod) => controllerOf(pod)?.uid === set.metadata.uid && !hasEnded(pod))
    const plan = planRollout({ deployment, sets, hasPods, now: run.clock.now() })
    let latest = deployment
    for (const action of plan.actions) {
      const done = await this.#carryOut(run, latest, action)
      if (done === 'collision') return
      if (done) latest = done
    }
    await writeStatus(this.#cluster, latest, plan.status, run.signal)
    return again(plan.requeueAfterMs)
  }

  /** Returns the deployment if the action changed the deployment itself. */
  async #carryOut(
    run: ReconcileContext,
    deployment: Deployment,
    action: RolloutAction,
  ): Promise<Deployment | 'collision' | undefined> {
    switch (action.do) {
      case 'create':
        return this.#create(run, deployment, action.set)
      case 'change':
        return this.#change(run, action)
      case 'delete':
        return this.#cluster.remove(refOf(action.set), uidOf(action.set, run.signal)).then(() => undefined)
      case 'number': {
        const annotations = { [REVISION]: action.revision }
        const patch = { metadata: { annotations } }
        const access = run.client.resourceOf<Deployment>(APPS, 'Deployment')
        const numbered = await access.patch(nameOf(deployment), patch, { type: 'merge', ...writeOptions(run) })
        this.#cluster.wrote(numbered)
        return numbered
      }
    }
  }

  async #create(run: ReconcileContext, deployment: Deployment, set: ReplicaSet): Promise<'collision' | undefined> {
    const access = run.client.resourceOf<ReplicaSet>(APPS, 'ReplicaSet')
    const name = set.metadata.name ?? ''
    try {
      this.#cluster.wrote(await access.create(set, writeOptions(run)))
    } catch (error) {
      if (!isStatusError(error, 'AlreadyExists')) {
        await this.#tellFailure(run, deployment, `Failed to create new replica set "${name}": ${messageOf(error)}`)
        throw error
      }
      const other = await access.find(nameOf(set), { signal: run.signal })
      if (other) this.#cluster.wrote(other)
      const isOwn = other && controllerOf(other)?.uid === deployment.metadata.uid
      if (isOwn && sameTemplate(other.spec?.template, deployment.spec?.template)) return undefined
      const collisionCount = (deployment.status?.collisionCount ?? 0) + 1
      await writeStatus(this.#cluster, deployment, { ...deployment.status, collisionCount }, run.signal)
      this.#cluster.queue(refOf(deployment), 'the name of the new replica set is taken')
      return 'collision'
    }
    const replicas = set.spec?.replicas ?? 0
    if (replicas > 0) this.#tellSize(run, name, 0, replicas)
    return undefined
  }

  async #tellFailure(run: ReconcileContext, deployment: Deployment, message: string): Promise<void> {
    const reason = 'ReplicaSetCreateError'
    run.event({ type: 'Warning', reason, message, action: 'Create' })
    const before = deployment.status?.conditions ?? []
    const conditions = withCondition(before, progressing('False', reason, message), run.clock.now())
    await writeStatus(this.#cluster, deployment, { ...deployment.status, conditions }, run.signal)
  }

  async #change(
    run: ReconcileContext,
    { set, replicas, minReadySeconds, annotations }: Extract<RolloutAction, { do: 'change' }>,
  ) {
    const spec = {
      ...(replicas !== undefined && { replicas }),
      ...(minReadySeconds !== undefined && { minReadySeconds }),
    }
    const metadata = { resourceVersion: set.metadata.resourceVersion, ...(annotations && { annotations }) }
    const access = run.client.resourceOf<ReplicaSet>(APPS, 'ReplicaSet')
    const changed = await access.patch(nameOf(set), { metadata, spec }, { type: 'merge', ...writeOptions(run) })
    this.#cluster.wrote(changed)
    if (replicas !== undefined) this.#tellSize(run, set.metadata.name ?? '', set.spec?.replicas ?? 1, replicas)
    return undefined
  }

  #tellSize(run: ReconcileContext, name: string, from: number, to: number): void {
    const way = to > from ? 'up' : 'down'
    const message = `Scaled ${way} replica set ${name} from ${from} to ${to}`
    run.event({ reason: 'ScalingReplicaSet', message, action: 'Scale' })
  }

  /** The owner of a set, or the deployments that would adopt it. */
  deploymentsOf(set: ApiObject): { name: string; namespace: string | undefined }[] {
    const { namespace, labels } = set.metadata
    const owner = controllerOf(set)
    if (owner) return owner.kind === 'Deployment' ? [{ name: owner.name, namespace }] : []
    return this.#deployments
      .list(namespace)
      .filter(({ spec }) => labelSelector(requirementsOf(spec?.selector ?? {})).matches(labels))
      .map(({ metadata }) => ({ name: metadata.name ?? '', namespace }))
  }

  /** A deployment with the strategy Recreate waits until the last old pod is gone. */
  waitingFor(pod: ApiObject): { name: string; namespace: string | undefined }[] {
    const { namespace } = pod.metadata
    const owner = controllerOf(pod)
    const set = owner?.kind === 'ReplicaSet' ? this.#sets.get({ name: owner.name, namespace }) : undefined
    return set ? this.deploymentsOf(set).filter((name) => isRecreate(this.#deployments.get(name) ?? {})) : []
  }
}

function nameOf({ metadata }: ApiObject): { name: string; namespace: string | undefined } {
  return { name: metadata.name ?? '', namespace: metadata.namespace }
}

function refOf(object: ApiObject) {
  return { apiVersion: object.apiVersion, kind: object.kind, ...nameOf(object) }
}

function uidOf({ metadata }: ApiObject, signal: AbortSignal) {
  return { signal, ...(metadata.uid !== undefined && { uid: metadata.uid }) }
}
