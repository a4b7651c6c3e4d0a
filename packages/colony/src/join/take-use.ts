// Whether a bootstrap token lets one more executor in, and its status then. Pure; the write that stores it decides.

import type { BootstrapTokenSpec, BootstrapTokenStatus } from '@homeostat/executor/protocol'

/** The next status, or why nobody is let in. */
export function takeUse(
  { uses, expiresAt }: BootstrapTokenSpec,
  { used = 0, executors = [] }: BootstrapTokenStatus,
  executor: string,
  now: number,
): BootstrapTokenStatus | string {
  if (!(now < Date.parse(expiresAt))) return `it ended at ${expiresAt}`
  if (used >= uses) return `all of its ${uses} uses are taken`
  return { used: used + 1, executors: [...executors, executor] }
}

/** For a use that made nothing. */
export function giveBack({ used = 0, executors = [] }: BootstrapTokenStatus, executor: string): BootstrapTokenStatus {
  return { used: Math.max(0, used - 1), executors: executors.filter((name) => name !== executor) }
}
