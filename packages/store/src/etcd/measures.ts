// What the driver counts, for /metrics: calls to the members, writes whose answer was lost, the state of the cluster, and its space.
// Pure. The store calls it.

import type { StoreMeasure } from '../contract.ts'
import type { EtcdClientStats } from './client/contract.ts'
import { STATES } from './complaint.ts'
import type { EtcdHealthCheck } from './health-check.ts'
import { quotaOf } from './space.ts'
import type { SettledAs } from './writer.ts'

export function measuresOf(
  stats: EtcdClientStats,
  settled: Readonly<Record<SettledAs, number>>,
  health: Pick<EtcdHealthCheck, 'status' | 'failures' | 'warnings'>,
): readonly StoreMeasure[] {
  const present = new Set([...health.failures(), ...health.warnings()].map(({ state }) => state))
  const { status } = health
  return [
    one('counter', 'etcd_calls_total', 'Calls to members of etcd.', stats.calls),
    one('counter', 'etcd_failed_calls_total', 'Calls that no member answered as asked.', stats.failedCalls),
    one('counter', 'etcd_dials_total', 'Connections to members that were tried.', stats.dials),
    one('counter', 'etcd_logins_total', 'Tokens that a user and a password were traded for.', stats.tokenRefreshes),
    one('counter', 'etcd_sent_bytes_total', 'Bytes of calls.', stats.bytesSent),
    one('counter', 'etcd_received_bytes_total', 'Bytes of answers and events.', stats.bytesReceived),
    {
      type: 'counter',
      name: 'etcd_settled_writes_total',
      help: 'Writes whose answer was lost, by what became of them.',
      label: 'outcome',
      values: Object.entries(settled),
    },
    {
      type: 'gauge',
      name: 'etcd_state',
      help: '1 while the state lasts.',
      label: 'state',
      values: STATES.map((state) => [state, present.has(state) ? 1 : 0]),
    },
    {
      type: 'gauge',
      name: 'etcd_database_bytes',
      help: 'Of the member that is asked: its file, what of it is in use, and its quota.',
      label: 'of',
      values: [
        ['file', status?.dbSize ?? 0],
        ['in-use', status?.dbSizeInUse ?? 0],
        ['quota', status === undefined ? 0 : quotaOf(status)],
      ],
    },
  ]
}

function one(type: StoreMeasure['type'], name: string, help: string, value: number): StoreMeasure {
  return { type, name, help, values: [['', value]] }
}
