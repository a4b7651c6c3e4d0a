// What a person should know about the manifests: rights that were used and not declared, and probes that cannot work.

import { kindKey, missingRules, type RecordedAccess, ruleText } from '@homeostat/operator/access'
import type { RunDescription } from '@homeostat/operator/host'
import { isProbed } from './health-port.ts'

export function warningsOf(runs: readonly RunDescription[], recorded: readonly RecordedAccess[]): string[] {
  return [...accessWarnings(runs, recorded), ...healthWarnings(runs)]
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
    .filter((one) => !isProbed(one))
    .map(({ host, port }) => `the kubelet cannot probe health on ${host}:${port}: ${advice}`)
}
