// Runs the operator against the server that a kubeconfig leads to, until it is interrupted. It installs its definitions.

import { run } from '@homeostat/operator'
import { customResources } from './src/custom-resources/custom-resources.ts'

const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
try {
  const running = run(customResources, { name: 'my-resource', signal: ending.signal })
  await running.ready
  console.log(`my-resource runs ${customResources.map(({ kind }) => kind).join(', ')}; Ctrl-C ends it`)
  await running.done
} catch (error) {
  process.stderr.write(`my-resource: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
