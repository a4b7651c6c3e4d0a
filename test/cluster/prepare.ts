// Starts the servers of a seed, as many as it draws, and makes what clients need.

import type { Cluster } from './cluster.ts'
import { NAMESPACE } from './object-client.ts'
import type { Machines } from './troubles.ts'

const NAMESPACES = { group: '', resource: 'namespaces' }

export async function prepare({ network }: Cluster, machines: Machines, namespace = NAMESPACE): Promise<void> {
  const names = ['a', 'b', 'c', 'd', 'e'].slice(0, network.random.pick([2, 2, 3, 3, 5]))
  for (const name of names) {
    await machines.start(name)
    if (name !== 'a') continue
    const [first] = machines.running
    for (const made of ['kube-system', namespace])
      await first?.parts.api.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: made } })
  }
}
