// What the parts of one client count, for its `stats`.

import type { EtcdClientStats } from './contract.ts'

export type Counters = { -readonly [Count in keyof EtcdClientStats]: EtcdClientStats[Count] }

export function newCounters(): Counters {
  return { calls: 0, failedCalls: 0, dials: 0, tokenRefreshes: 0, bytesSent: 0, bytesReceived: 0 }
}
