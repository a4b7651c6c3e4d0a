// Installs the definitions and runs the operator against the server of the kubeconfig, until it is interrupted.

import { run } from '@homeostat/operator'
import { customResources } from './src/custom-resources/custom-resources.ts'
import { webApp } from './src/web-app.ts'

const kinds = [...customResources, webApp]

const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
try {
  const running = run(kinds, { name: 'my-resource', signal: ending.signal })
  await running.ready
  console.log(`my-resource runs ${kinds.map(({ kind }) => kind).join(', ')}; Ctrl-C ends it`)
  await running.done
} catch (error) {
  process.stderr.write(`my-resource: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
