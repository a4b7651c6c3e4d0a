// Makes an extension answer on every server although one of them leads: a call that reaches another is passed on to it, with the
// caller's identity, and the response comes back. Once: a server that does not lead any more says so, and the first looks again.

import { type Clock, pause } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'
import { serviceUnavailable } from '@homeostat/meta/server'
import { callerHeaders } from '../authn/front-proxy.ts'
import type { Duties, Member } from '../duties/duties.ts'
import type { User } from '../identity/user.ts'
import type { ApiExtension, ExtensionAnswer, ExtensionRequest } from '../registry/api-extension.ts'
import type { NotSentError, PeerSessions } from './peer-sessions.ts'

export interface PassOnParts {
  /** Asked with each call: a server has extensions before it has duties. */
  duties(): Duties
  /** Loads what connects to others. */
  sessions(): Promise<PeerSessions>
  readonly clock: Clock
}

/** How long a call waits for somebody to lead: a takeover ends within five seconds. */
const WAIT_MS = 10_000
const LOOK_AGAIN_MS = 100
/** RFC 9110: the server does not answer for this. Never the answer to a client. */
const MISDIRECTED = 421

/** The extension as it is, unless somebody leads what it answers for. */
export function passedOn(extension: ApiExtension, parts: PassOnParts): ApiExtension {
  const { ledBy } = extension
  if (ledBy === undefined) return extension
  const connect: ApiExtension['connect'] = async (request, user, signal) => {
    const duty = ledBy(request.namespace)
    for (const until = uptime(parts) + WAIT_MS; ; ) {
      const leader = parts.duties().leader(duty)
      if (leader === 'here') return extension.connect(request, user, signal)
      if (request.isPassedOn) return { status: MISDIRECTED, body: '' }
      const answer = leader && (await pass(extension, { request, user, signal, leader, ...parts }))
      if (answer !== undefined) return answer
      if (signal.aborted || uptime(parts) >= until) throw serviceUnavailable(NOBODY)
      await lookAgain(parts, signal)
    }
  }
  return { ...extension, connect }
}

/** A step of the time of day must neither end nor prolong a wait. */
function uptime({ clock }: PassOnParts): number {
  return clock.uptime?.() ?? clock.now()
}

const NOBODY = 'no server answers for this at the moment; try again in a few seconds'
const LOST = 'the server that answers for this has ended the call; try again'

async function lookAgain({ duties, clock }: PassOnParts, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  await Promise.race([
    duties().changed(over.signal),
    pause(clock, LOOK_AGAIN_MS, AbortSignal.any([over.signal, signal])),
  ])
  over.abort()
}

interface Passing extends PassOnParts {
  readonly request: ExtensionRequest
  readonly user: User
  readonly signal: AbortSignal
  readonly leader: Member
}

/** Undefined when the other server did not get the call, or does not lead. */
async function pass(extension: ApiExtension, passing: Passing): Promise<ExtensionAnswer | undefined> {
  const { request, user, signal, leader, duties, sessions } = passing
  // What is passed on names its caller: never in the clear, whatever a Lease says.
  if (!leader.address.startsWith('https://')) return undefined
  const body = extension.verb === 'get' ? undefined : await request.bytes()
  const over = new AbortController()
  const both = AbortSignal.any([signal, over.signal])
  try {
    const headers = headersFor(extension, request, user)
    const sending = (await sessions()).send(leader.address, { headers, body, signal: both })
    // A machine that is gone closes no connection: its calls end when another server leads.
    void endWithLeader(extension.ledBy?.(request.namespace) ?? '', leader, duties(), over)
    const { headers: answered, body: pieces } = await sending
    const status = Number(answered[':status'])
    if (status === MISDIRECTED) {
      pieces.destroy()
      over.abort()
      return undefined
    }
    const contentType = answered['content-type']
    const warning = warningIn(answered.warning)
    return {
      status,
      ...(contentType !== undefined && { contentType }),
      ...(warning !== undefined && { warning }),
      body: ended(pieces, over),
    }
  } catch (error) {
    over.abort()
    if (isNotSent(error)) return undefined
    if (isStatusError(error)) throw error
    // Nobody hears it.
    if (signal.aborted) return { status: 503, body: LOST }
    throw serviceUnavailable(LOST)
  }
}

/** Frees what waits for a change of leaders when the response is over. */
async function* ended(pieces: AsyncIterable<Uint8Array>, over: AbortController): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces
  } finally {
    over.abort()
  }
}

async function endWithLeader(duty: string, { id }: Member, duties: Duties, over: AbortController): Promise<void> {
  while (!over.signal.aborted) {
    const leader = duties.leader(duty)
    if (leader !== undefined && (leader === 'here' || leader.id !== id)) return over.abort()
    await duties.changed(over.signal)
  }
}

function headersFor(
  { group, version, resource, subresource, verb }: ApiExtension,
  request: ExtensionRequest,
  user: User,
) {
  const { namespace, name, query } = request
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const place = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`
  const search = query.size === 0 ? '' : `?${query}`
  const headers: Record<string, string | string[]> = {
    ':method': verb === 'get' ? 'GET' : 'POST',
    ':path': `${root}${place}/${resource}/${encodeURIComponent(name)}/${subresource}${search}`,
    ...(verb === 'create' && { 'content-type': 'application/json' }),
  }
  for (const [header, values] of Map.groupBy(callerHeaders(user), ([header]) => header)) {
    headers[header] = values.map(([, value]) => value)
  }
  return headers
}

function isNotSent(error: unknown): error is NotSentError {
  return error instanceof Error && error.name === 'NotSentError'
}

/** The text of the one warning of an extension's answer. */
function warningIn(header: string | undefined): string | undefined {
  return /^299 - "(.*)"$/.exec(header ?? '')?.[1]?.replace(/\\(.)/g, '$1')
}
