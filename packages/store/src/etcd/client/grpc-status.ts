// What a status of gRPC from etcd means, as an EtcdError. etcd tells most of it in the message, whose texts are part of its API
// (api/v3rpc/rpctypes): its own client compares them, too.

import type { IncomingHttpHeaders } from 'node:http2'
import { EtcdError, type EtcdErrorKind } from './etcd-error.ts'

const OK = 0

interface Meaning {
  readonly kind: EtcdErrorKind
  /** The member refused before it proposed anything, or the cluster did when it applied it. */
  readonly refused: boolean
}

const refused = (kind: EtcdErrorKind): Meaning => ({ kind, refused: true })
const uncertain = (kind: EtcdErrorKind): Meaning => ({ kind, refused: false })

/** The first text that the message contains decides. */
const TEXTS: readonly (readonly [text: string, meaning: Meaning])[] = [
  ['required revision has been compacted', refused('compacted')],
  ['required revision is a future revision', refused('future-revision')],
  ['database space exceeded', refused('no-space')],
  ['too many requests', refused('overloaded')],
  ['request is too large', refused('too-large')],
  ['message larger than max', refused('too-large')],
  ['etcdserver: no leader', refused('no-leader')],
  ['rpc not supported for learner', refused('learner')],
  ['leader changed', uncertain('no-leader')],
  ['timed out', uncertain('timeout')],
  ['took too long', uncertain('timeout')],
]

/** By the status, for messages without such a text. */
const STATUSES: Readonly<Record<number, Meaning>> = {
  1: uncertain('aborted'),
  3: refused('other'),
  4: uncertain('timeout'),
  7: refused('denied'),
  8: refused('overloaded'),
  12: refused('other'),
  14: uncertain('unreachable'),
  16: refused('denied'),
}

/** What etcd says when a token is gone or was made before rights changed: a new one helps. */
const STALE_TOKEN = ['invalid auth token', 'revision of auth store is old', 'user name is empty']
const WRONG_PASSWORD = 'authentication failed'

export function isStaleToken(error: EtcdError): boolean {
  return STALE_TOKEN.some((text) => error.message.includes(text))
}

/** The error in the headers that end a stream; undefined when they say that all is well. */
export function statusError(headers: IncomingHttpHeaders, endpoint: string): EtcdError | undefined {
  const status = Number(headers['grpc-status'])
  if (status === OK) return undefined
  if (Number.isNaN(status)) return noStatus(headers, endpoint)
  return errorOf(status, decodeMessage(`${headers['grpc-message'] ?? ''}`), endpoint)
}

export function errorOf(status: number | undefined, message: string, endpoint: string): EtcdError {
  const known = TEXTS.find(([text]) => message.includes(text))?.[1]
  const denied = [...STALE_TOKEN, WRONG_PASSWORD].some((text) => message.includes(text))
  const { kind, refused } =
    known ?? (denied ? { kind: 'denied', refused: true } : (STATUSES[status ?? 2] ?? uncertain('other')))
  const text = message === '' ? `it answered with gRPC status ${status}` : message
  return new EtcdError(kind, `${endpoint}: ${text}`, { grpcStatus: status, maybeApplied: !refused, endpoint })
}

/** A proxy, or something else that is no etcd, answers in HTTP alone. */
function noStatus(headers: IncomingHttpHeaders, endpoint: string): EtcdError {
  const http = Number(headers[':status'] ?? 200)
  const what = http === 200 ? 'an answer without a status of gRPC' : `HTTP ${http}`
  const kind = http === 502 || http === 503 || http === 504 || http === 429 ? 'unreachable' : 'protocol'
  return new EtcdError(kind, `${endpoint}: ${what}; is this the client address of an etcd member?`, {
    maybeApplied: true,
    endpoint,
  })
}

/** gRPC percent-encodes what is not plain ASCII; nonsense stays as it is. */
function decodeMessage(message: string): string {
  try {
    return decodeURIComponent(message)
  } catch {
    return message
  }
}
