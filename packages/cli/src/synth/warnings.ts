// What a person should know about the manifests: rights that were used and not declared, and probes that cannot work.

import { kindKey, missingRules, type RecordedAccess, ruleText } from '@homeostat/operator/access'
import type { RunDescription } from '@homeostat/operator/host'
import { isReachable } from './health-port.ts'

export function warningsOf(runs: readonly RunDescription[], recorded: readonly RecordedAccess[]): string[] {
  return [...accessWarnings(runs, recorded), ...healthWarnings(runs), ...webhookWarnings(runs)]
}

function accessWarnings(runs: readonly RunDescription[], recorded: readonly RecordedAccess[]): string[] {
  const kinds = runs.flatMap((run) => run.kinds.map(kindKey))
  const missing = missingRules(
    recorded,
    kinds,
    runs.flatMap((run) => run.rules),
  )
  if (missing.length === 0) return []
  const lines = missing.map((rule) => `  ${ruleText(rule)}`)
  return [
    `the operator asked for what its roles do not allow; add kinds of children to children, and the rest to access:\n${lines.join('\n')}`,
  ]
}

function healthWarnings(runs: readonly RunDescription[]): string[] {
  const health = runs.flatMap((run) => run.health ?? [])
  const advice = "run(..., { health: { port: 8080, host: '0.0.0.0' } })"
  if (health.length === 0) return [`the Deployment has no probes, since no health is served: ${advice}`]
  return health
    .filter((one) => !isReachable(one))
    .map(({ host, port }) => `the kubelet cannot probe health on ${host}:${port}: ${advice}`)
}

function webhookWarnings(runs: readonly RunDescription[]): string[] {
  const webhooks = runs.flatMap((run) => run.webhooks ?? [])
  const services = new Set(webhooks.map(({ service }) => `${service?.namespace}/${service?.name}`))
  const ports = new Set(webhooks.map(({ port }) => port))
  const hidden = webhooks.filter((one) => !isReachable(one))
  return [
    ...hidden.map(
      ({ host, port }) =>
        `the API server cannot reach webhooks on ${host}:${port}, so that no Service leads there: leave host and port out`,
    ),
    ...(webhooks.length > 1 && Math.min(ports.size, services.size) < webhooks.length
      ? [
          'several runs serve webhooks on one port or behind one Service: give each run a port and a Service, run(..., { webhooks: { port, service } })',
        ]
      : []),
  ]
}
