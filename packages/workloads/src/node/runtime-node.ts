// The Node object of a runtime: its name, its capacity and its conditions. Pure; the machine is an argument. The command
// creates it when a server starts, and the node controller maintains it.

import { rfc3339 } from '@homeostat/meta'
import type { Node, NodeCondition } from '../kinds.ts'

/** Names the runtime of a node, for nodeSelectors. */
export const RUNTIME_LABEL = 'homeostat.dev/runtime'
/** On every object with invented addresses and sizes. */
const SIMULATED_LABEL = 'homeostat.dev/simulated'

export interface Machine {
  readonly os: string
  readonly arch: string
  readonly kernel: string
  readonly cpus: number
  readonly memoryBytes: number
  /** The address of the machine; loopback when it has no other. */
  readonly address: string
}

export interface NodeRuntime {
  readonly name: string
  readonly simulated: boolean
  /** The default runtime of pods. */
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

/** A range that no network uses: it is reserved for tests of network devices. */
export const SIMULATED_NODE_ADDRESS = '198.18.0.1'
/** Ten thousand, in the canonical form of a quantity. */
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

/** The wanted status. Times change only together with their condition, so that a healthy node is not written again. */
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

/** In the largest unit without a fraction, the canonical form: another form would be written again and again. */
function memoryText(bytes: number): string {
  let amount = Math.floor(bytes / 1024)
  let unit = 0
  for (; amount > 0 && amount % 1024 === 0 && unit < UNITS.length - 1; unit++) amount /= 1024
  return `${amount}${UNITS[unit]}`
}

const UNITS = ['Ki', 'Mi', 'Gi', 'Ti']

/** The status of a node whose runtime this server does not run: nothing manages its pods. */
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
