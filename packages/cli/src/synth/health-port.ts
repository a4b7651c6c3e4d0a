// Whether the kubelet can reach the health server of an operator: probes that cannot would restart its Pod for ever.

import type { RunDescription } from '@homeostat/operator/host'

type Health = NonNullable<RunDescription['health']>

export function isProbed({ host, port }: Health): boolean {
  return port !== 0 && !/^(?:127\.|localhost$|::1$)/.test(host)
}

/** The port that probes ask; undefined when there is none. */
export function healthPort(runs: readonly RunDescription[]): number | undefined {
  return runs.flatMap(({ health }) => health ?? []).find(isProbed)?.port
}
