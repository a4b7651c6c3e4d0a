// The controller of Pods: binds a pod to its node, runs its containers as `planPod` says, and writes its status.
// The runtime's units are the source of truth: it never starts one that exists, and stops those whose pod is deleted.

import type { Informer, InformerEvent, ObjectName } from '@homeostat/client'
import { deepEqual, isStatusError, writeJson } from '@homeostat/meta'
import type { Behaviour, Cluster, Controlled, Outcome, ReconcileContext } from '@homeostat/operator'
import type { Runtime, UnitState } from '@homeostat/runtimes'
import { again } from '../again.ts'
import type { Node, Pod, PodStatus } from '../kinds.ts'
import { type Machine, type NodeRuntime, nodeLabels, nodeName, nodeRuntimes } from '../node/runtime-node.ts'
import { thisMachine } from '../node/this-machine.ts'
import { writeStatus } from '../write-status.ts'
import { type PodMemory, probeContainer, REFUSED_MS, startContainer } from './container-hands.ts'
import { type GivenAccess, type PodAccountOptions, PodAccounts } from './pod-accounts.ts'
import { withPodCondition } from './pod-conditions.ts'
import { type PodAction, type PodPlan, planPod } from './pod-plan.ts'
import { type Place, placePod, runtimeOf } from './scheduling.ts'
import { OF_PODS, POD_UID, podOf } from './unit-name.ts'
import { UnitStarts } from './unit-starts.ts'
import { UnitStops } from './unit-stops.ts'

export interface PodControllerOptions {
  readonly runtimes: readonly Runtime[]
  /** The runtime of pods that name none. */
  readonly defaultRuntime: string
  /** The machine in the status of nodes. Default: this machine. */
  readonly machine?: Machine
  /** Where programs of pods get tokens of their service accounts. Default: they get none. */
  readonly accounts?: PodAccountOptions | undefined
}

export function podController(options: PodControllerOptions): Controlled {
  let controller: PodController | undefined
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    reports: false,
    // The node that runs a pod has Events of its own: Scheduled, Started, BackOff and so on.
    tellsRuns: false,
    predicate: (change) => isWorthARun(change as InformerEvent<Pod>),
    createBehaviour: (cluster) => {
      controller = new PodController(cluster, options)
      return controller as Behaviour
    },
    // A new label of a node may unblock a pending pod.
    watches: [{ apiVersion: 'v1', kind: 'Node', map: () => controller?.waiting() ?? [] }],
  }
}

/** Being bound changes no generation, and others may open a readiness gate in the status. */
function isWorthARun({ type, object, previous }: InformerEvent<Pod>): boolean {
  return type !== 'updated' || previous === undefined || !deepEqual(concernOf(previous), concernOf(object))
}

function concernOf({ metadata, spec, status }: Pod): object {
  const { deletionGracePeriodSeconds, finalizers, labels, annotations } = metadata
  const gates = new Set(spec?.readinessGates?.map(({ conditionType }) => conditionType))
  const conditions = status?.conditions?.filter(({ type }) => gates.has(type)) ?? []
  return { deletionGracePeriodSeconds, finalizers, labels, annotations, spec, conditions }
}

class PodController implements Behaviour<Pod> {
  readonly #cluster: Cluster
  readonly #pods: Informer<Pod>
  readonly #runtimes: ReadonlyMap<string, Runtime>
  readonly #nodes: Informer<Node>
  readonly #nodeRuntimes: readonly NodeRuntime[]
  readonly #machine: Machine
  /** Memory by pod uid, then by container; dropped with the pod. */
  readonly #memory = new Map<string, PodMemory>()
  readonly #uids = new Map<string, string>()
  readonly #starts: UnitStarts
  readonly #stops: UnitStops
  readonly #accounts: PodAccounts | undefined

  constructor(cluster: Cluster, options: PodControllerOptions) {
    const { runtimes, defaultRuntime, machine = thisMachine(), accounts } = options
    this.#cluster = cluster
    this.#accounts = accounts && new PodAccounts(accounts, cluster.client, cluster.clock, cluster.log)
    this.#pods = cluster.informer<Pod>('v1', 'Pod')
    this.#nodes = cluster.informer<Node>('v1', 'Node')
    this.#machine = machine
    this.#nodeRuntimes = nodeRuntimes(runtimes, defaultRuntime)
    this.#runtimes = new Map(runtimes.map((runtime) => [runtime.name, runtime]))
    this.#stops = new UnitStops(cluster, (unit) => this.#queue(unit, `unit ${unit.name} stopped`))
    this.#starts = new UnitStarts(cluster.clock, (unit) => {
      this.#queue(unit, `the start of unit ${unit.name} is over`)
      // The pod may have been deleted meanwhile.
      void this.#sweep(({ name }) => name === unit.name)
    })
    for (const runtime of runtimes) runtime.watch((unit) => this.#hear(unit))
    void this.#pods.whenSynced().then(
      async () => {
        await this.#sweep(() => true)
        const uids = new Set(this.#pods.list().map(({ metadata }) => metadata.uid))
        await this.#accounts?.sweep((uid) => uids.has(uid))
      },
      () => {},
    )
  }

  async reconcile(run: ReconcileContext<Pod>): Promise<Outcome> {
    const pod = run.object
    const placement = placePod(pod, this.#places())
    if (placement.act === 'leave') return
    if (placement.act === 'run') return this.#keep(run, pod, this.#runtimeOf(placement.runtime))
    if (pod.metadata.deletionTimestamp !== undefined) return this.#delete(run, pod)
    if (placement.act === 'bind') return this.#bind(run, pod, placement.node)
    await this.#refuse(run, pod, placement.message)
  }

  /** Pods without a node. */
  waiting(): ObjectName[] {
    const unbound = this.#pods.list().filter(({ spec }) => !spec?.nodeName)
    return unbound.map(({ metadata: { name = '', namespace } }) => ({ name, namespace }))
  }

  /** The nodes with the labels and taints of their users; before they exist, as they will be created. */
  #places(): Place[] {
    return this.#nodeRuntimes.map((runtime) => {
      const name = nodeName(runtime)
      const labels = nodeLabels(runtime, this.#machine)
      return { runtime, node: this.#nodes.get({ name }) ?? { metadata: { name, labels } } }
    })
  }

  forget({ name, namespace }: ObjectName): void {
    const key = `${namespace}/${name}`
    const current = this.#pods.get({ name, namespace })?.metadata.uid
    const uid = this.#uids.get(key)
    if (uid !== undefined && uid !== current) {
      this.#memory.delete(uid)
      void this.#accounts?.drop(uid)
    }
    this.#uids.delete(key)
    this.#starts.forget((unit) => podOf(unit).uid === uid)
    void this.#sweep((unit) => podOf(unit).name === name && podOf(unit).namespace === namespace)
  }

  async #keep(run: ReconcileContext<Pod>, pod: Pod, runtime: Runtime): Promise<Outcome> {
    const { uid = '', name = '', namespace = '' } = pod.metadata
    this.#uids.set(`${namespace}/${name}`, uid)
    const memory = this.#memoryOf(uid)
    const plan = async (): Promise<PodPlan> => {
      const units = await this.#unitsOf(run, runtime, uid)
      return planPod({ pod, units, runtime, address: this.#machine.address, memory, now: run.clock.now() })
    }
    let planned = await plan()
    const access = await this.#accounts?.give(pod, runtime, run.signal)
    for (const action of planned.actions) await this.#carryOut(run, pod, runtime, memory, action, access)
    if (planned.actions.some(({ do: what }) => what === 'start' || what === 'probe')) planned = await plan()
    if (!planned.status) return
    this.#tellBackOff(run, pod, planned.status)
    await writeStatus(this.#cluster, pod, planned.status, run.signal)
    const refused = [...memory.values()].some(({ refusal }) => refusal !== undefined)
    const renewMs = access?.dueMs ?? Number.POSITIVE_INFINITY
    const { requeueAfterMs = Number.POSITIVE_INFINITY } = planned
    const next = Math.min(requeueAfterMs, renewMs, refused ? REFUSED_MS : Number.POSITIVE_INFINITY)
    return again(Number.isFinite(next) ? next : undefined)
  }

  async #unitsOf(run: ReconcileContext<Pod>, runtime: Runtime, uid: string): Promise<UnitState[]> {
    try {
      return await runtime.list({ ...OF_PODS, [POD_UID]: uid })
    } catch (error) {
      const message = `the runtime ${runtime.name} does not say what runs: ${(error as Error).message}`
      run.event({ type: 'Warning', reason: 'RuntimeNotReady', message, action: 'List' })
      throw error
    }
  }

  async #carryOut(
    run: ReconcileContext<Pod>,
    pod: Pod,
    runtime: Runtime,
    memory: PodMemory,
    action: PodAction,
    access: GivenAccess | undefined,
  ): Promise<void> {
    if (action.do === 'delete') return this.#delete(run, pod)
    if (action.do === 'start') return startContainer(run, runtime, this.#starts, memory, action, access)
    if (action.do === 'probe') return probeContainer(run, runtime, memory, action)
    const { unit, graceSeconds } = action
    const isNew = this.#stops.stop(runtime, unit, graceSeconds)
    if (isNew && unit.phase !== 'exited') {
      run.event({ reason: 'Killing', message: `Stopping container ${podOf(unit).container}`, action: 'Kill' })
    }
  }

  async #delete(run: ReconcileContext<Pod>, pod: Pod): Promise<void> {
    const { name = '', namespace, uid = '' } = pod.metadata
    const access = run.client.resourceOf<Pod>('v1', 'Pod')
    try {
      await access.delete({ name, namespace }, { gracePeriodSeconds: 0, preconditions: { uid }, signal: run.signal })
    } catch (error) {
      if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error
    }
  }

  async #bind(run: ReconcileContext<Pod>, pod: Pod, node: string): Promise<void> {
    const { name = '', namespace = '', uid } = pod.metadata
    const target = { apiVersion: 'v1', kind: 'Node', name: node }
    const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace, uid }, target }
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/binding`
    try {
      await run.client.requestJson({
        method: 'POST',
        path: `${path}?fieldManager=${encodeURIComponent(run.fieldManager)}`,
        headers: { 'content-type': 'application/json' },
        body: writeJson(body),
        signal: run.signal,
      })
    } catch (error) {
      // The pod is bound already, or deleted; the informer will see it in a moment.
      if (isStatusError(error, 'Conflict') || isStatusError(error, 'NotFound')) return
      throw error
    }
    run.event({
      reason: 'Scheduled',
      message: `Successfully assigned ${namespace}/${name} to ${node}`,
      action: 'Binding',
    })
  }

  async #refuse(run: ReconcileContext<Pod>, pod: Pod, message: string): Promise<void> {
    const condition = { type: 'PodScheduled', status: 'False' as const, reason: 'Unschedulable', message }
    const conditions = withPodCondition(pod.status?.conditions ?? [], condition, run.clock.now())
    if (deepEqual(conditions, pod.status?.conditions)) return
    run.event({ type: 'Warning', reason: 'FailedScheduling', message, action: 'Scheduling' })
    await writeStatus(this.#cluster, pod, { ...pod.status, conditions }, run.signal)
  }

  #tellBackOff(run: ReconcileContext<Pod>, pod: Pod, status: PodStatus): void {
    const backingOff = ({ containerStatuses = [] }: PodStatus) =>
      containerStatuses.filter(({ state }) => state?.waiting?.reason === 'CrashLoopBackOff').map(({ name }) => name)
    const before = new Set(backingOff(pod.status ?? {}))
    for (const name of backingOff(status).filter((container) => !before.has(container))) {
      const message = `Back-off restarting failed container ${name} in pod ${pod.metadata.name}`
      run.event({ type: 'Warning', reason: 'BackOff', message, action: 'Start' })
    }
  }

  /** Stops units whose pod is deleted or runs elsewhere. Only a synced informer can tell. */
  async #sweep(wanted: (unit: UnitState) => boolean): Promise<void> {
    if (!this.#pods.synced) return
    for (const runtime of this.#runtimes.values()) {
      try {
        for (const unit of await runtime.list(OF_PODS)) {
          if (wanted(unit) && !this.#belongs(unit, runtime)) this.#stops.stop(runtime, unit)
        }
      } catch (error) {
        const fields = { err: error, runtime: runtime.name }
        this.#cluster.log.error(fields, 'units without a pod could not be looked for')
      }
    }
  }

  #belongs(unit: UnitState, runtime: Runtime): boolean {
    const { uid, name, namespace } = podOf(unit)
    const pod = this.#pods.get({ name, namespace })
    return pod?.metadata.uid === uid && runtimeOf(pod.spec ?? {}, this.#places()) === runtime.name
  }

  /** A runtime that was unreachable may report units late, after their pod was deleted. */
  #hear(unit: UnitState): void {
    this.#queue(unit, `unit ${unit.name} ${unit.phase}`)
    const { namespace, name } = podOf(unit)
    const isLost = name !== '' && unit.phase !== 'exited' && !this.#pods.get({ name, namespace })
    if (isLost) void this.#sweep((one) => one.name === unit.name)
  }

  #queue(unit: Pick<UnitState, 'labels'>, cause: string): void {
    const { namespace, name } = podOf(unit)
    if (name !== '') this.#cluster.queue({ apiVersion: 'v1', kind: 'Pod', name, namespace }, cause)
  }

  #memoryOf(uid: string): PodMemory {
    const memory = this.#memory.get(uid) ?? new Map()
    this.#memory.set(uid, memory)
    return memory
  }

  #runtimeOf(name: string): Runtime {
    const runtime = this.#runtimes.get(name)
    if (!runtime) throw new Error(`there is no runtime ${name}`)
    return runtime
  }
}
