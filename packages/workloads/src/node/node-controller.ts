// Maintains the Node of each runtime. It renews the node's Lease while pods are bound to it, or after another controller
// (such as kube-controller-manager) has declared the node dead for a stale lease.

import type { ApiObject, Informer } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import type { Behaviour, Cluster, Controlled, Outcome, ReconcileContext } from '@homeostat/operator'
import { again } from '../again.ts'
import type { Node, Pod } from '../kinds.ts'
import { writeOptions, writeStatus } from '../write-status.ts'
import {
  abandonedStatus,
  type Machine,
  type NodeRuntime,
  nodeLabels,
  nodeName,
  nodeStatus,
  RUNTIME_LABEL,
  runtimeNode,
} from './runtime-node.ts'

const RENEW_MS = 10_000
const LEASE_SECONDS = 40
const LEASES = 'kube-node-lease'

export interface NodeControllerOptions {
  readonly runtimes: readonly NodeRuntime[]
  readonly machine: Machine
}

export function nodeController(options: NodeControllerOptions): Controlled {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    reports: false,
    tellsRuns: false,
    // Other controllers may write to the status that a node is not ready.
    predicate: () => true,
    watches: [{ apiVersion: 'v1', kind: 'Pod', map: nodeOf }],
    createBehaviour: (cluster) => new NodeController(cluster, options) as Behaviour,
  }
}

function nodeOf(pod: ApiObject): { name: string }[] {
  const { nodeName: name } = (pod as Pod).spec ?? {}
  return name === undefined ? [] : [{ name }]
}

/** kube-controller-manager writes this when a lease was not renewed in time; it taints such nodes as well. */
function isDeclaredDead({ status }: Node): boolean {
  return status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'Unknown') ?? false
}

class NodeController implements Behaviour<Node> {
  readonly #cluster: Cluster
  readonly #runtimes: ReadonlyMap<string, NodeRuntime>
  readonly #machine: Machine
  readonly #nodes: Informer<Node>
  readonly #pods: Informer<Pod>
  /** When each lease was renewed last. */
  readonly #renewed = new Map<string, number>()
  /** Nodes that were declared dead for a stale lease: another controller watches their leases. */
  readonly #watched = new Set<string>()

  constructor(cluster: Cluster, { runtimes, machine }: NodeControllerOptions) {
    this.#cluster = cluster
    this.#runtimes = new Map(runtimes.map((runtime) => [nodeName(runtime), runtime]))
    this.#machine = machine
    this.#nodes = cluster.informer<Node>('v1', 'Node')
    this.#pods = cluster.informer<Pod>('v1', 'Pod')
    void Promise.all([this.#nodes.whenSynced(), this.#pods.whenSynced()]).then(
      () => this.#begin(),
      () => {},
    )
  }

  async reconcile(run: ReconcileContext<Node>): Promise<Outcome> {
    const node = run.object
    const runtime = this.#runtimes.get(node.metadata.name ?? '')
    const now = run.clock.now()
    if (runtime === undefined) {
      const missing = node.metadata.labels?.[RUNTIME_LABEL]
      if (missing === undefined) return
      await writeStatus(this.#cluster, node, abandonedStatus(node.status, missing, now), run.signal)
      return
    }
    const labels = nodeLabels(runtime, this.#machine)
    const { object } = await run.apply<Node>({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: nodeName(runtime), labels },
    })
    const { name = '' } = node.metadata
    if (isDeclaredDead(object)) this.#watched.add(name)
    await writeStatus(this.#cluster, object, nodeStatus(runtime, this.#machine, object.status, now), run.signal)
    // A node without pods needs no lease, and writes nothing.
    if (!this.#watched.has(name) && !this.#pods.list().some(({ spec }) => spec?.nodeName === name)) return
    const due = (this.#renewed.get(name) ?? 0) + RENEW_MS - now
    if (due > 0) return again(due)
    this.#renewed.set(name, now)
    await this.#renewLease(run, node)
    return again(RENEW_MS)
  }

  /** Creates a deleted node again while its runtime exists. */
  forget({ name }: { name: string }): void {
    const runtime = this.#runtimes.get(name)
    if (runtime && this.#nodes.synced) void this.#create(runtime)
  }

  async #begin(): Promise<void> {
    for (const [name, runtime] of this.#runtimes) if (!this.#nodes.get({ name })) await this.#create(runtime)
  }

  async #create(runtime: NodeRuntime): Promise<void> {
    const { client, clock, fieldManager, log } = this.#cluster
    try {
      const node = runtimeNode(runtime, this.#machine, clock.now())
      await client.resourceOf<Node>('v1', 'Node').create(node, { fieldManager })
    } catch (error) {
      if (isStatusError(error, 'AlreadyExists')) return
      log.error({ err: error, node: nodeName(runtime) }, 'the node of a runtime could not be made')
    }
  }

  async #renewLease(run: ReconcileContext<Node>, { metadata }: Node): Promise<void> {
    const { name = '', uid = '' } = metadata
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid }]
    const renewTime = new Date(run.clock.now()).toISOString().replace('Z', '000Z')
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name, namespace: LEASES, ownerReferences },
      spec: { holderIdentity: name, leaseDurationSeconds: LEASE_SECONDS, renewTime },
    }
    const access = run.client.resourceOf<ApiObject>(lease.apiVersion, lease.kind)
    await access.apply(lease, { ...writeOptions(run), force: true })
  }
}
