// Decides which users of this machine may connect, and logs and counts refused ones. Called when the server starts.

import { type Log, Numbers } from '@homeostat/base'
import type { ServerMetrics } from '../ops/server-metrics.ts'
import { UserGuard, type UserGuardOptions } from './user-guard.ts'

/** Numeric user ids; `all` checks nothing. */
export type LocalUsers = ReadonlySet<number> | 'all'

const ROOT = 0
/** Limits the log: a refused client may retry in a loop. */
const LOG_EVERY_MS = 60_000

/** The server's own user, and root, who can do anything anyway. Only Linux reveals the user of a connection. */
export function ownUsers(): LocalUsers {
  return process.platform === 'linux' && process.getuid ? new Set([process.getuid(), ROOT]) : 'all'
}

/** Undefined when all users may connect. */
export function guardFor(users: LocalUsers, logger: Log, metrics: ServerMetrics): UserGuard | undefined {
  if (users === 'all') return undefined
  const refused = new Numbers('counter', {
    name: 'homeostat_refused_connections_total',
    help: 'Connections that were refused: of users who may not use the server, of unknown ones, and too many at once.',
    labels: ['reason'],
  })
  metrics.add(refused)
  const tell = logRefusals(logger)
  return new UserGuard({
    allowed: users,
    onRefused(user) {
      refused.child(typeof user === 'number' ? 'user' : user).add()
      tell(user)
    },
  })
}

/** Logs the first of them in each minute. */
export function logRefusals(logger: Log): UserGuardOptions['onRefused'] {
  let loggedAt = Number.NEGATIVE_INFINITY
  return (user) => {
    if (performance.now() - loggedAt < LOG_EVERY_MS) return
    loggedAt = performance.now()
    logger.warn({ user }, 'refused a connection of this machine; --local-users says who may connect')
  }
}
