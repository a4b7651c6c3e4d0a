// Runs executors as the pods of a Deployment in a cluster: the colony's own server or another one.

import { setTimeout as delay } from 'node:timers/promises'
import type { ApiObject, Client } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import type { Replica } from '../deployment-status.ts'
import type { DeploymentSpec } from '../spec/deployment-spec.ts'
import { clusterManifest, clusterName } from './cluster-manifest.ts'
import { templateHash } from './executor-unit.ts'
import { counted, type Target, type Work } from './target.ts'
import { HASH_LABEL, type Owner, UID_LABEL } from './unit-identity.ts'

export interface ClusterTargetOptions {
  readonly client: Client
  readonly namespace: string
  /** The URL of the colony's server for the executors. */
  readonly server: string | undefined
  /** How long one reconcile waits for pods to start or end. */
  readonly waitMs: number
}

interface Deployment extends ApiObject {
  spec?: { replicas?: number }
  status?: {
    observedGeneration?: number
    replicas?: number
    updatedReplicas?: number
    readyReplicas?: number
    conditions?: { type: string; status: string; reason?: string; message?: string }[]
  }
}

interface Pod extends ApiObject {
  status?: {
    phase?: string
    message?: string
    conditions?: { type: string; status: string }[]
    containerStatuses?: { state?: { waiting?: { reason?: string; message?: string } } }[]
  }
}

const MANAGER = 'colonies.io/executor-deployment'
const LOOK_AGAIN_MS = 200

export class ClusterTarget implements Target {
  readonly #options: ClusterTargetOptions

  constructor(options: ClusterTargetOptions) {
    this.#options = options
  }

  async deploy(spec: DeploymentSpec, work: Work): Promise<boolean> {
    const { owner, signal, say } = work
    const before = await this.#pods(owner)
    const difference = spec.replicas - before.length
    say(`  Current replicas: ${before.length}, Desired: ${spec.replicas}`)
    if (difference > 0) say(`Scaling up: deploying ${counted(difference, 'new Kubernetes pod')}`)
    if (difference < 0) say(`Scaling down: removing ${counted(-difference, 'Kubernetes pod')}`)
    await this.#apply(owner, spec, signal)
    const isDone = await this.#within(signal, async () => isRolledOut(await this.#find(owner)))
    const after = await this.#pods(owner)
    const names = (pods: readonly Pod[]) => new Set(pods.map(({ metadata }) => metadata.name))
    const [had, have] = [names(before), names(after)]
    for (const { metadata } of after) {
      if (!had.has(metadata.name)) say(`Started pod: ${metadata.name} (ID: ${metadata.uid?.slice(0, 12)})`)
    }
    for (const { metadata } of before) if (!have.has(metadata.name)) say(`Removed pod: ${metadata.name}`)
    return isDone
  }

  async replicas(owner: Owner, spec: DeploymentSpec | undefined): Promise<Replica[]> {
    const hash = spec && templateHash(spec)
    return (await this.#pods(owner)).map((pod) => {
      const message = whyNot(pod)
      return {
        name: pod.metadata.name ?? '',
        // Pods name their executors themselves: the cluster knows when one is ready.
        isOnline: true,
        isRunning: pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false,
        isCurrent: pod.metadata.labels?.[HASH_LABEL] === hash,
        ...(message !== undefined && { message }),
      }
    })
  }

  async remove({ owner, signal, say }: Work): Promise<void> {
    const pods = await this.#pods(owner)
    if (pods.length > 0) say(`Scaling down: removing ${counted(pods.length, 'Kubernetes pod')}`)
    const where = { name: clusterName(owner), namespace: this.#options.namespace }
    try {
      await this.#deployments.delete(where, { signal, propagationPolicy: 'Foreground' })
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error
    }
    const isGone = async () => (await this.#find(owner)) === undefined && (await this.#allPods(owner)).length === 0
    if (!(await this.#within(signal, isGone))) {
      const left = counted((await this.#allPods(owner)).length, 'pod')
      throw new Error(`not all is gone from ${where.namespace} yet: ${left}`)
    }
    for (const { metadata } of pods) say(`Removed pod: ${metadata.name}`)
  }

  get #deployments() {
    return this.#options.client.resourceOf<Deployment>('apps/v1', 'Deployment')
  }

  async #apply(owner: Owner, spec: DeploymentSpec, signal: AbortSignal): Promise<void> {
    const { namespace, server } = this.#options
    try {
      const manifest = clusterManifest(owner, spec, server)
      await this.#deployments.apply(manifest, { fieldManager: MANAGER, force: true, signal })
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error
      throw new Error(`there is no namespace ${namespace} in the cluster: create it (${error.message})`, {
        cause: error,
      })
    }
  }

  #find(owner: Owner): Promise<Deployment | undefined> {
    return this.#deployments.find({ name: clusterName(owner), namespace: this.#options.namespace })
  }

  /** Without pods that are being deleted. */
  async #pods(owner: Owner): Promise<Pod[]> {
    return (await this.#allPods(owner)).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  }

  async #allPods(owner: Owner): Promise<Pod[]> {
    const { client, namespace } = this.#options
    const labelSelector = `${UID_LABEL}=${owner.uid}`
    return (await client.resourceOf<Pod>('v1', 'Pod').list({ namespace, labelSelector })).items
  }

  async #within(signal: AbortSignal, isSo: () => Promise<boolean>): Promise<boolean> {
    for (const until = performance.now() + this.#options.waitMs; ; await delay(LOOK_AGAIN_MS, undefined, { signal })) {
      if (await isSo()) return true
      if (performance.now() >= until) return false
    }
  }
}

/** Throws when the rollout has missed its deadline. */
function isRolledOut(deployment: Deployment | undefined): boolean {
  const { metadata, spec, status = {} } = deployment ?? { metadata: {} }
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 1)) return false
  const stuck = status.conditions?.find(({ reason }) => reason === 'ProgressDeadlineExceeded')
  if (stuck) throw new Error(`the Deployment ${metadata.name} does not get on: ${stuck.message}`)
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0 } = status
  return [replicas, updatedReplicas, readyReplicas].every((count) => count === (spec?.replicas ?? 1))
}

function whyNot({ status }: Pod): string | undefined {
  const waiting = status?.containerStatuses?.map(({ state }) => state?.waiting).find((one) => one !== undefined)
  if (waiting) return [waiting.reason, waiting.message].filter(Boolean).join(': ')
  return status?.phase === 'Running' ? undefined : (status?.message ?? status?.phase)
}
