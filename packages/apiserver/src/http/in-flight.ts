// Limits the requests in flight, reads and writes separately, so that neither starves the other. The router asks before
// it routes. Long-running requests do not count, and the server's own requests always pass.

import type { Metric } from '@homeostat/base'
import type { Exchange } from '../exchange/exchange.ts'
import { WaitingBudget } from '../exchange/waiting-budget.ts'
import type { RequestPath } from './request-path.ts'

export interface InFlightLimits {
  /** The most reads in flight. Default 1000. */
  readonly reads?: number | undefined
  /** The most writes in flight. Default 1000. */
  readonly writes?: number | undefined
  /** How long a request waits in the queue. Default 15 s. */
  readonly waitMs?: number | undefined
}

const LIMIT = 1000
/** As in Kubernetes. */
const WAIT_MS = 15_000
/** How many requests may wait for each one in flight. */
const WAITING = 4

export class InFlight implements Metric {
  readonly reads: WaitingBudget
  readonly writes: WaitingBudget

  constructor({ reads = LIMIT, writes = LIMIT, waitMs = WAIT_MS }: InFlightLimits = {}) {
    const lane = (total: number) =>
      new WaitingBudget({
        total,
        maxWaiting: total * WAITING,
        maxWaitMs: waitMs,
        message: 'too many requests, please try again later',
      })
    this.reads = lane(reads)
    this.writes = lane(writes)
  }

  /** The limit that the request counts against; undefined for none. */
  laneOf(exchange: Exchange, target: RequestPath): WaitingBudget | undefined {
    if (exchange.request.peer.kind === 'internal' || isLongRunning(exchange, target)) return undefined
    const { method } = exchange.request
    return method === 'GET' || method === 'HEAD' ? this.reads : this.writes
  }

  /** Renders the metrics under the names of kube-apiserver. */
  render(): string {
    const { reads, writes } = this
    return (
      '# HELP apiserver_current_inflight_requests Requests that are worked on now.\n' +
      '# TYPE apiserver_current_inflight_requests gauge\n' +
      `apiserver_current_inflight_requests{request_kind="readOnly"} ${reads.used}\n` +
      `apiserver_current_inflight_requests{request_kind="mutating"} ${writes.used}\n` +
      '# HELP apiserver_current_inqueue_requests Requests that wait for their turn.\n' +
      '# TYPE apiserver_current_inqueue_requests gauge\n' +
      `apiserver_current_inqueue_requests{request_kind="readOnly"} ${reads.waiting}\n` +
      `apiserver_current_inqueue_requests{request_kind="mutating"} ${writes.waiting}\n` +
      '# HELP apiserver_dropped_requests_total Requests refused with 429, since too many were in flight.\n' +
      '# TYPE apiserver_dropped_requests_total counter\n' +
      `apiserver_dropped_requests_total{request_kind="readOnly"} ${reads.refused}\n` +
      `apiserver_dropped_requests_total{request_kind="mutating"} ${writes.refused}\n`
    )
  }
}

/** Watches, event streams, extensions (logs, calls of executors), and health checks, which must always be answered. */
export function isLongRunning(exchange: Exchange, target: RequestPath): boolean {
  if (target.kind === 'resource') {
    const { watch, subresource } = target.path
    return watch || (subresource !== undefined && !SHORT.has(subresource)) || exchange.request.flag('watch')
  }
  return target.kind === 'other' && /^\/(watch|healthz|livez|readyz|metrics)(\/|$)/.test(exchange.request.pathname)
}

const SHORT: ReadonlySet<string> = new Set(['status', 'scale', 'finalize'])
