// Which users of this machine may use a server, and what becomes known of those who may not. The server's start asks.

import { Numbers } from '@homeostat/base'
import type { Logger } from 'pino'
import type { ServerMetrics } from '../ops/server-metrics.ts'
import { UserGuard } from './user-guard.ts'

/** By number; `all` asks nobody. */
export type LocalUsers = ReadonlySet<number> | 'all'

const ROOT = 0
/** Somebody who tries in a loop fills no log. */
const LOG_EVERY_MS = 60_000

/** The server's own user, and root, who may do anything anyhow. Only Linux tells users apart. */
export function ownUsers(): LocalUsers {
  return process.platform === 'linux' && process.getuid ? new Set([process.getuid(), ROOT]) : 'all'
}

/** Undefined when all may. */
export function guardFor(users: LocalUsers, logger: Logger, metrics: ServerMetrics): UserGuard | undefined {
  if (users === 'all') return undefined
  const refused = new Numbers('counter', {
    name: 'homeostat_refused_connections_total',
    help: 'Connections that were refused: of users who may not use the server, of unknown ones, and too many at once.',
    labels: ['reason'],
  })
  metrics.add(refused)
  let loggedAt = Number.NEGATIVE_INFINITY
  return new UserGuard({
    allowed: users,
    onRefused(user) {
      refused.child(typeof user === 'number' ? 'user' : user).add()
      if (performance.now() - loggedAt < LOG_EVERY_MS) return
      loggedAt = performance.now()
      logger.warn({ user }, 'refused a connection of this machine; --local-users says who may connect')
    },
  })
}
