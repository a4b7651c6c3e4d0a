// The device flow (RFC 8628): the person types a code into a browser on any machine, and the command asks until it is done.

import { type Clock, pause } from '@homeostat/base'
import { Fault } from '../fault.ts'
import type { Issuer, IssuerEndpoints } from './issuer.ts'
import { readTokens, refusalText, type Tokens } from './tokens.ts'

export interface DeviceOptions {
  readonly issuer: Issuer
  readonly endpoints: IssuerEndpoints
  readonly clientId: string
  readonly scopes: readonly string[]
  /** Called with the page to open and the code to type there. */
  show(url: string, code: string): void
  readonly clock: Clock
  readonly signal: AbortSignal
}

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const SECONDS_BETWEEN = 5
const SLOWER_SECONDS = 5
const LONGEST_SECONDS = 1800

export async function deviceFlow(options: DeviceOptions): Promise<Tokens> {
  const { issuer, endpoints, clientId, scopes, clock, signal } = options
  if (endpoints.device === undefined)
    throw new Fault(`${issuer.url} has no login by device; leave out --device where a browser is`)
  const asked = await issuer.post(endpoints.device, { client_id: clientId, scope: scopes.join(' ') })
  const { device_code: device, user_code: code, verification_uri: page } = asked.body
  if (asked.status !== 200) throw new Fault(`${issuer.url} refuses the login: ${refusalText(asked.body)}`)
  if (typeof device !== 'string' || typeof code !== 'string' || typeof page !== 'string')
    throw new Fault(`${issuer.url} gave no code for a device`)
  const { verification_uri_complete: complete } = asked.body
  options.show(typeof complete === 'string' ? complete : page, code)
  let seconds = secondsOf(asked.body.interval, SECONDS_BETWEEN)
  const until = clock.now() + secondsOf(asked.body.expires_in, LONGEST_SECONDS) * 1000
  while (clock.now() < until) {
    await pause(clock, seconds * 1000, signal)
    signal.throwIfAborted()
    const form = { grant_type: GRANT, device_code: device, client_id: clientId }
    const { status, body } = await issuer.post(endpoints.token, form)
    if (status === 200) return readTokens(body, { issuer: issuer.url, clientId })
    if (body.error === 'slow_down') seconds += SLOWER_SECONDS
    else if (body.error !== 'authorization_pending')
      throw new Fault(`${issuer.url} refuses the login: ${refusalText(body)}`)
  }
  throw new Fault('nobody typed the code in time; try again')
}

function secondsOf(value: unknown, fallback: number): number {
  return typeof value === 'number' && value > 0 && value <= LONGEST_SECONDS ? value : fallback
}
