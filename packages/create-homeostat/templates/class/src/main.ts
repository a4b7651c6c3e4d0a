// The program that production starts. It runs against KUBECONFIG, the cluster it is in, or .homeostat/kubeconfig.

import { run } from '@homeostat/operator'
import { webSiteOperator } from './web-site.ts'

const running = run(webSiteOperator, {
  name: 'my-operator', // the manager of all it writes: keep it
  leaderElection: true, // of several replicas one acts
  health: { host: '0.0.0.0', port: Number(process.env['HEALTH_PORT'] ?? 8080) }, // /healthz, /readyz, /metrics
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void running.close())
await running.done.catch(() => process.exit(1)) // the log says why
