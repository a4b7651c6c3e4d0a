// Waits for a server that is not up yet, or is away while an operator starts. `run` calls it around what it asks of the
// server before controllers work; later the caches and the queue go on by themselves.

import { Backoff, type Clock, type Log, pause } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'

export interface ServerWait {
  readonly client: Client
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  readonly signal: AbortSignal
}

const DELAYS = { min: 250, max: 10_000, jitter: 0.5 }
/** A server that takes a connection and says nothing is not up. */
const ANSWER_MS = 10_000

/** What the server says of its version; empty when it says nothing. */
export async function awaitServer(wait: ServerWait): Promise<string> {
  const { client, clock } = wait
  return whileReachable(wait, async (signal) => {
    const late = new AbortController()
    const cancel = clock.setTimer(ANSWER_MS, () => late.abort(new NoAnswer(`no answer within ${ANSWER_MS / 1000} s`)))
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

/** Does the work again for as long as the server cannot be reached. Says so once, and once that it is there. */
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

class NoAnswer extends Error {
  override readonly name = 'ConnectionError'
}

/** By name, since a program may have two copies of the client; also under an error that says what was wanted. */
export function isUnreachable(error: unknown): boolean {
  if (isStatusError(error)) return error.status.code === 429 || (error.status.code ?? 0) >= 500
  for (let at = error; at instanceof Error; at = at.cause) if (at.name === 'ConnectionError') return true
  return false
}
