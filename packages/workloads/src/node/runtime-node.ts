// The Node that stands for a runtime, as an object: what it is called, what it can hold, and that it is ready. Pure; the
// machine is an argument. The command makes it when a server starts, the controller beside this file keeps it so.

import { rfc3339 } from '@homeostat/meta'
import type { Node, NodeCondition } from '../kinds.ts'

/** Says which runtime a node stands for; a nodeSelector can ask for it. */
export const RUNTIME_LABEL = 'homeostat.dev/runtime'
/** On everything whose addresses and sizes are made up. */
const SIMULATED_LABEL = 'homeostat.dev/simulated'

export interface Machine {
  readonly os: string
  readonly arch: string
  readonly kernel: string
  readonly cpus: number
  readonly memoryBytes: number
  /** Where others reach it; loopback when it has no other address. */
  readonly address: string
}

export interface NodeRuntime {
  readonly name: string
  readonly simulated: boolean
  /** Pods that name none get this one. */
  readonly isDefault: boolean
}

/** The default first. */
export function nodeRuntimes(
  runtimes: readonly { readonly name: string; readonly simulated: boolean }[],
  byDefault: string,
): NodeRuntime[] {
  const all = runtimes.map(({ name, simulated }) => ({ name, simulated, isDefault: name === byDefault }))
  return all.sort((a, b) => Number(b.isDefault) - Number(a.isDefault))
}

/** A range that no network uses: it is kept for tests of network devices. */
export const SIMULATED_NODE_ADDRESS = '198.18.0.1'
/** Ten thousand, as a server writes it. */
const MAX_PODS = '10k'

export function nodeName({ name, isDefault }: NodeRuntime): string {
  return isDefault ? 'homeostat' : `homeostat-${name}`
}

export function nodeLabels(runtime: NodeRuntime, { os, arch }: Machine): Record<string, string> {
  return {
    'kubernetes.io/hostname': nodeName(runtime),
    'kubernetes.io/os': os,
    'kubernetes.io/arch': arch,
    [RUNTIME_LABEL]: runtime.name,
    ...(runtime.simulated && { [SIMULATED_LABEL]: 'true' }),
  }
}

/** A new node. */
export function runtimeNode(
  runtime: NodeRuntime,
  machine: Machine,
  now: number,
): Node & { metadata: { name: string } } {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: nodeName(runtime), labels: nodeLabels(runtime, machine) },
    status: nodeStatus(runtime, machine, undefined, now),
  }
}

/** What its status has to be. Times move only with what they tell of: a node that is well is not written again. */
export function nodeStatus(
  runtime: NodeRuntime,
  machine: Machine,
  before: Node['status'],
  now: number,
): NonNullable<Node['status']> {
  const address = runtime.simulated ? SIMULATED_NODE_ADDRESS : machine.address
  const capacity = {
    cpu: String(machine.cpus),
    memory: memoryText(machine.memoryBytes),
    pods: MAX_PODS,
  }
  return {
    ...before,
    addresses: [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: nodeName(runtime) },
    ],
    capacity,
    allocatable: capacity,
    conditions: CONDITIONS.reduce(
      (all, next) => withNodeCondition(all, { ...next, ...wordsOf(next.type, runtime) }, now),
      before?.conditions ?? [],
    ),
    nodeInfo: {
      machineID: '',
      systemUUID: '',
      bootID: '',
      kernelVersion: machine.kernel,
      osImage: runtime.simulated ? 'simulated' : machine.os,
      containerRuntimeVersion: `${runtime.name}://`,
      kubeletVersion: 'homeostat',
      kubeProxyVersion: '',
      operatingSystem: machine.os,
      architecture: machine.arch,
    },
  }
}

/** In the largest unit that leaves no fraction, as a server writes it: what it writes differently would be sent again. */
function memoryText(bytes: number): string {
  let amount = Math.floor(bytes / 1024)
  let unit = 0
  for (; amount > 0 && amount % 1024 === 0 && unit < UNITS.length - 1; unit++) amount /= 1024
  return `${amount}${UNITS[unit]}`
}

const UNITS = ['Ki', 'Mi', 'Gi', 'Ti']

/** One whose runtime this server was not started with: nobody looks after its pods. */
export function abandonedStatus(before: Node['status'], runtime: string, now: number): NonNullable<Node['status']> {
  const message = `the server was started without the runtime ${runtime}`
  const next = { type: 'Ready', status: 'False' as const, reason: 'RuntimeMissing', message }
  return { ...before, conditions: withNodeCondition(before?.conditions ?? [], next, now) }
}

const CONDITIONS = [
  { type: 'MemoryPressure', status: 'False' },
  { type: 'DiskPressure', status: 'False' },
  { type: 'PIDPressure', status: 'False' },
  { type: 'Ready', status: 'True' },
] as const

function wordsOf(type: string, { name, simulated }: NodeRuntime): { reason: string; message: string } {
  if (type !== 'Ready') return { reason: 'NotMeasured', message: 'the server does not limit what pods use' }
  const message = simulated ? 'pods on this node are simulated: nothing really runs' : `the runtime ${name} is ready`
  return { reason: 'RuntimeReady', message }
}

function withNodeCondition(conditions: readonly NodeCondition[], next: NodeCondition, now: number): NodeCondition[] {
  const old = conditions.find(({ type }) => type === next.type)
  if (old?.status === next.status && old.reason === next.reason && old.message === next.message) return [...conditions]
  const time = rfc3339(now)
  const lastTransitionTime = (old?.status === next.status && old.lastTransitionTime) || time
  const made = { ...next, lastHeartbeatTime: time, lastTransitionTime }
  return old ? conditions.map((one) => (one === old ? made : one)) : [...conditions, made]
}
