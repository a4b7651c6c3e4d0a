// The addresses in a pod's status: those of its containers if they have their own, those of the machine if they share its
// network, and invented ones if the runtime is simulated. Pure.

import { createHash } from 'node:crypto'
import type { UnitState } from '@homeostat/runtimes'
import type { Pod, PodStatus } from '../kinds.ts'
import { SIMULATED_NODE_ADDRESS } from '../node/runtime-node.ts'

type Addresses = Pick<PodStatus, 'hostIP' | 'hostIPs' | 'podIP' | 'podIPs'>

export interface AddressInput {
  readonly pod: Pod
  readonly units: readonly UnitState[]
  readonly simulated: boolean
  /** The address of the machine. */
  readonly address: string
}

export function podAddresses({ pod, units, simulated, address }: AddressInput): Addresses {
  const hostIP = simulated ? SIMULATED_NODE_ADDRESS : address
  const podIP = simulated ? simulatedAddress(pod.metadata.uid ?? '') : unitAddress(units, address)
  return {
    hostIP,
    hostIPs: [{ ip: hostIP }],
    ...(podIP !== undefined && { podIP, podIPs: [{ ip: podIP }] }),
  }
}

/** Each container has a network of its own there; the pod gets the first address. */
function unitAddress(units: readonly UnitState[], machine: string): string | undefined {
  const running = units.filter(({ phase }) => phase === 'running')
  const [first] = running
  if (first === undefined) return undefined
  if (first.address === undefined) return machine
  return running.find(({ address }) => address)?.address
}

/** From 198.18.0.0/15, which is reserved for tests; constant during the life of a pod. */
function simulatedAddress(uid: string): string {
  const [a = 0, b = 0, c = 0] = createHash('sha256').update(uid).digest()
  return `198.${18 + (a % 2)}.${b}.${Math.max(2, Math.min(254, c))}`
}
