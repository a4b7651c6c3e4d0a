// Whether other machines can reach a server of an operator. Probes that cannot would restart its Pod for ever; webhooks that
// cannot be reached would refuse every write.

import type { RunDescription } from '@homeostat/operator/host'

export function isReachable({ host, port }: { readonly host: string; readonly port: number }): boolean {
  return port !== 0 && !/^(?:127\.|localhost$|::1$)/.test(host)
}

/** The port that probes ask; undefined when there is none. */
export function healthPort(runs: readonly RunDescription[]): number | undefined {
  return runs.flatMap(({ health }) => health ?? []).find(isReachable)?.port
}
