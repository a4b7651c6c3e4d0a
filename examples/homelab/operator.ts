// Installs the definitions and runs the operator against the server of the kubeconfig, until it is interrupted.

import { run } from '@homeostat/operator'
import { customResources } from './src/custom-resources/custom-resources.ts'

export async function runOperator(): Promise<void> {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  const running = run(customResources, { name: 'homelab', signal: ending.signal })
  await running.ready
  process.stdout.write(`homelab runs ${customResources.map(({ kind }) => kind).join(', ')}; Ctrl-C ends it\n`)
  await running.done
}
