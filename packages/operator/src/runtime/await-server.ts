// Waits for a server that is down while an operator starts. `run` wraps its first requests in it; later the informers
// and the queue retry by themselves.

import { Backoff, type Clock, type Log, pause } from '@homeostat/base'
import { type Client, ConnectionError, isConnectionError } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'

export interface ServerWait {
  readonly client: Client
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  readonly signal: AbortSignal
}

const DELAYS = { min: 250, max: 10_000, jitter: 0.5 }
/** A server that accepts a connection and does not respond in this time counts as down. */
const ANSWER_MS = 10_000

/** The server's version; empty when it does not report one. */
export async function awaitServer(wait: ServerWait): Promise<string> {
  const { client, clock } = wait
  return whileReachable(wait, async (signal) => {
    const late = new AbortController()
    const cancel = clock.setTimer(ANSWER_MS, () =>
      late.abort(new ConnectionError(`no response within ${ANSWER_MS / 1000} s`)),
    )
    try {
      const request = { method: 'GET', path: '/version', signal: AbortSignal.any([signal, late.signal]) }
      const { gitVersion = '' } = (await client.requestJson(request)) as { gitVersion?: string }
      return gitVersion
    } catch (error) {
      signal.throwIfAborted()
      if (isUnreachable(error)) throw error
      return ''
    } finally {
      cancel()
    }
  })
}

/** Retries the work while the server is unreachable. Logs once that it waits, and once that the server is back. */
export async function whileReachable<T>(
  { client, clock, random, log, signal }: ServerWait,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const backoff = new Backoff<'server'>({ ...DELAYS, random })
  const { server } = client.transport
  for (;;) {
    signal.throwIfAborted()
    try {
      const done = await work(signal)
      if (backoff.failures('server') > 0) log.info({ server }, 'the server is reached')
      return done
    } catch (error) {
      signal.throwIfAborted()
      if (!isUnreachable(error)) throw error
      const fields = { server, err: error }
      if (backoff.failures('server') === 0) log.warn(fields, 'the server is not reached; the operator waits for it')
      else log.debug(fields, 'the server is still not reached')
      await pause(clock, backoff.next('server'), signal)
    }
  }
}

/** Looks at the `cause` as well. */
export function isUnreachable(error: unknown): boolean {
  if (isStatusError(error)) return error.status.code === 429 || (error.status.code ?? 0) >= 500
  for (let at = error; at instanceof Error; at = at.cause) if (isConnectionError(at)) return true
  return false
}
