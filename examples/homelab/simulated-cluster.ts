// What a cluster has and this example has not: pods that start, and cert-manager. Both are simulated: no image is pulled, no
// issuer is asked.

import type { ApiObject } from '@homeostat/client'
import { controller, type Runnable } from '@homeostat/operator'
import { SimulatedRuntime } from '@homeostat/runtimes'
import { workloads } from '@homeostat/workloads'

export function simulatedCluster(): { readonly operators: Runnable[]; close(): Promise<void> } {
  const runtime = new SimulatedRuntime({ startDelayMs: 0 })
  const pods = workloads({ runtimes: [runtime], defaultRuntime: runtime.name })
  return { operators: [...(Array.isArray(pods) ? pods : [pods]), certManager], close: () => runtime.close() }
}

const certManager = controller('cert-manager.io/v1', 'Certificate', async (run) => {
  const { name = '', namespace } = run.object.metadata
  const { secretName } = (run.object as ApiObject & { spec: { secretName: string } }).spec
  const annotations = { 'cert-manager.io/certificate-name': name }
  const text = Buffer.from('simulated').toString('base64')
  await run.apply({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secretName, namespace, annotations },
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': text, 'tls.key': text },
  })
  await run.conditions.set('Ready', { status: 'True', reason: 'Ready', message: 'a simulated certificate' })
})
