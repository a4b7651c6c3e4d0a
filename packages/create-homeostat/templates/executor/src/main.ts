// The program that production starts. It makes only outgoing calls: to the server of KUBECONFIG, of the cluster it is in,
// or of .homeostat/kubeconfig. Start as many as you like; the queue gives each object to one of them at a time.

import { run } from '@homeostat/operator'
import { webSiteOperator } from './web-site.ts'

const running = run(webSiteOperator(process.env['PUBLISH_FOLDER'] ?? 'public'), {
  name: 'my-operator', // the manager of all it writes: keep it
  pull: { executorType: 'my-operator' }, // what all workers have in common; the namespace to serve is `colony`
  health: { host: '0.0.0.0', port: Number(process.env['HEALTH_PORT'] ?? 8080) }, // /healthz, /readyz, /metrics
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void running.close())
await running.done.catch(() => process.exit(1)) // the log says why
