// Serves requests through an extension of the API: with whole responses, or with streams.

import type { Auth } from '../authn/auth.ts'
import type { ResourceAttributes } from '../authz/authorize.ts'
import { requirePermission } from '../authz/require-permission.ts'
import { drained } from '../exchange/drained.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { readBytes, readJsonText } from '../exchange/read-body.ts'
import { ADMINISTRATOR } from '../identity/user.ts'
import type { ApiExtension, ExtensionAnswer } from '../registry/api-extension.ts'
import type { ResourcePath } from './request-path.ts'

export async function handleConnect(
  exchange: Exchange,
  path: ResourcePath,
  connect: ApiExtension['connect'],
  calls: ConnectCalls,
): Promise<void> {
  const { request, user } = exchange
  const { out } = exchange.transport
  // By hand, and with reasons that exist already: this is on the way of every process of a queue.
  const over = calls.begin()
  const onGone = () => over.abort(GONE)
  out.once('close', onGone)
  const { namespace, name = '' } = path
  let body: Promise<Buffer> | undefined
  const bytes = () => {
    body ??= readBytes(request)
    return body
  }
  const json = async () => {
    const sent = await bytes()
    return sent.length === 0 ? undefined : readJsonText(sent.toString()).value
  }
  const requires = (attributes: ResourceAttributes) =>
    user === ADMINISTRATOR ? undefined : requirePermission(calls.auth.authorizer, user, attributes)
  const call = {
    namespace,
    name,
    query: request.query,
    isPassedOn: calls.auth.isPassedOn(request),
    json,
    bytes,
    requirePermission: requires,
  }
  try {
    const answer = await connect(call, user, over.signal)
    if (over.signal.reason === GONE) return exchange.answered()
    const { status = 200, body, warning } = answer
    if (warning !== undefined) exchange.response.warn(warning)
    if (isStream(body)) await stream(exchange, status, answer, body)
    else if (typeof body === 'string') exchange.response.sendText(status, body, answer.contentType)
    else if (body instanceof Uint8Array)
      exchange.response.send(status, { contentType: answer.contentType ?? TEXT, body: Buffer.from(body) })
    else exchange.response.sendJson(status, body)
  } finally {
    out.off('close', onGone)
    calls.end(over)
  }
}

/** A server's calls of extensions, which its end aborts. A listener for each would be looked through with every new one. */
export class ConnectCalls {
  readonly #calls = new Set<AbortController>()
  readonly #ending: AbortSignal
  /** Decides about permissions that an extension asks for, and knows the other servers. */
  readonly auth: Pick<Auth, 'authorizer' | 'isPassedOn'>

  constructor(ending: AbortSignal, auth: ConnectCalls['auth']) {
    this.#ending = ending
    this.auth = auth
    ending.addEventListener('abort', () => {
      for (const call of this.#calls) call.abort(ENDING)
    })
  }

  begin(): AbortController {
    const call = new AbortController()
    if (this.#ending.aborted) call.abort(ENDING)
    this.#calls.add(call)
    return call
  }

  end(call: AbortController): void {
    this.#calls.delete(call)
  }
}

const TEXT = 'text/plain; charset=utf-8'
const GONE = new Error('the caller has gone')
const ENDING = new Error('the server ends')

async function stream(exchange: Exchange, status: number, answer: ExtensionAnswer, pieces: AsyncIterable<Uint8Array>) {
  const { transport, response } = exchange
  const { out } = transport
  const iterator = pieces[Symbol.asyncIterator]()
  // Wait for the first piece before sending the head: a failure until then is still an error response.
  let next = await iterator.next()
  response.head(status, answer.contentType ?? TEXT, undefined)
  transport.flushHead()
  const leave = () => void iterator.return?.()
  out.once('close', leave)
  try {
    while (!next.done && !out.destroyed) {
      if (!out.write(next.value)) await drained(out)
      next = await iterator.next()
    }
    out.end()
  } finally {
    out.off('close', leave)
    await iterator.return?.()
  }
  exchange.answered()
}

function isStream(body: ExtensionAnswer['body']): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && Symbol.asyncIterator in body
}
