// Requests that an extension of the API answers: whole answers, or streams that follow something.

import { drained } from '../exchange/drained.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { readBytes, readJsonText } from '../exchange/read-body.ts'
import type { ApiExtension, ExtensionAnswer } from '../registry/api-extension.ts'
import type { ResourcePath } from './request-path.ts'

export async function handleConnect(
  exchange: Exchange,
  path: ResourcePath,
  connect: ApiExtension['connect'],
  ending: AbortSignal,
): Promise<void> {
  const { request, user } = exchange
  const { out } = exchange.transport
  // By hand, and with reasons that exist already: this is on the way of every process of a queue.
  const over = new AbortController()
  const onGone = () => over.abort(GONE)
  out.once('close', onGone)
  const others = callsUntil(ending)
  others.add(over)
  const { namespace, name = '' } = path
  const bytes = () => readBytes(request)
  const json = async () => {
    const body = await bytes()
    return body.length === 0 ? undefined : readJsonText(body.toString()).value
  }
  if (ending.aborted) over.abort(ENDING)
  try {
    const answer = await connect({ namespace, name, query: request.query, json, bytes }, user, over.signal)
    if (over.signal.reason === GONE) return exchange.answered()
    const { status = 200, body } = answer
    if (isStream(body)) await stream(exchange, status, answer, body)
    else if (typeof body === 'string') exchange.response.sendText(status, body, answer.contentType)
    else if (body instanceof Uint8Array)
      exchange.response.send(status, { contentType: answer.contentType ?? TEXT, body: Buffer.from(body) })
    else exchange.response.sendJson(status, body)
  } finally {
    out.off('close', onGone)
    others.delete(over)
  }
}

/** The calls that the end of a server ends. A listener for each would be looked through with every new one. */
const underWay = new WeakMap<AbortSignal, Set<AbortController>>()

function callsUntil(ending: AbortSignal): Set<AbortController> {
  const known = underWay.get(ending)
  if (known !== undefined) return known
  const calls = new Set<AbortController>()
  underWay.set(ending, calls)
  ending.addEventListener('abort', () => {
    for (const call of calls) call.abort(ENDING)
  })
  return calls
}

const TEXT = 'text/plain; charset=utf-8'
const GONE = new Error('the caller has gone')
const ENDING = new Error('the server ends')

async function stream(exchange: Exchange, status: number, answer: ExtensionAnswer, pieces: AsyncIterable<Uint8Array>) {
  const { transport, response } = exchange
  const { out } = transport
  const iterator = pieces[Symbol.asyncIterator]()
  // What goes wrong before the first piece is still an error and not half an answer.
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
