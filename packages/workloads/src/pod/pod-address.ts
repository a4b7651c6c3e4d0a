// The addresses a pod's status says: those of its containers where they have their own, those of the machine where they
// share its network, and made-up ones, which mean nothing, where nothing runs. Pure.

import { createHash } from 'node:crypto'
import type { UnitState } from '@homeostat/runtimes'
import type { Pod, PodStatus } from '../kinds.ts'
import { SIMULATED_NODE_ADDRESS } from '../node/runtime-node.ts'

type Addresses = Pick<PodStatus, 'hostIP' | 'hostIPs' | 'podIP' | 'podIPs'>

export interface AddressInput {
  readonly pod: Pod
  readonly units: readonly UnitState[]
  readonly simulated: boolean
  /** Of the machine. */
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

/** Every container of a pod has a network of its own there: the first that has one speaks for the pod. */
function unitAddress(units: readonly UnitState[], machine: string): string | undefined {
  const running = units.filter(({ phase }) => phase === 'running')
  const [first] = running
  if (first === undefined) return undefined
  if (first.address === undefined) return machine
  return running.find(({ address }) => address)?.address
}

/** From 198.18.0.0/15, which is kept for tests; the same for a pod as long as it lives. */
function simulatedAddress(uid: string): string {
  const [a = 0, b = 0, c = 0] = createHash('sha256').update(uid).digest()
  return `198.${18 + (a % 2)}.${b}.${Math.max(2, Math.min(254, c))}`
}
