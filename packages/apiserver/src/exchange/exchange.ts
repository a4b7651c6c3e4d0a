// One request and its answer: what the handlers ask of the request, and the few ways to answer it.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { badRequest, internalError, isStatusError, readJson, type StatusError } from '@homeostat/meta'
import { ADMINISTRATOR, type User } from '../identity/user.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import type { Pieces } from '../represent/list-answer.ts'
import { type Answer, answerJson } from '../represent/object-answer.ts'
import { loadProtobuf, PROTOBUF_TYPE } from '../represent/protobuf.ts'
import type { PlainForm } from '../represent/representation.ts'
import { writeYaml } from '../represent/yaml.ts'
import type { AnswerBudget } from './answer-budget.ts'
import { AnswerFlow } from './answer-flow.ts'
import { acceptsGzip, GZIP_ABOVE, GZIP_HEADERS, gzipBytes, gzipStream } from './compression.ts'
import { dropRest } from './drop-rest.ts'
import type { WaitingBudget } from './waiting-budget.ts'
import { warningHeader } from './warning-header.ts'

/** Unique per process and request; a counter costs nothing, a random id per request would. */
const auditPrefix = randomUUID().slice(0, 24)
let auditCount = 0

export class Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly pathname: string
  readonly #search: string
  #query: URLSearchParams | undefined
  readonly #warnings: string[] = []
  readonly started = performance.now()
  /** For metrics and logs; set once the request has been understood. */
  verb = 'other'
  /** Whoever asks. On loopback that is the administrator, unless the request says otherwise. */
  user: User = ADMINISTRATOR
  type: ResourceType | undefined
  subresource = ''
  /** Set when the request asks to go on as a WebSocket: what came after its head. */
  upgrade: Buffer | undefined
  failure: StatusError | undefined
  /** Headers that let a page of another origin read the answer, whatever it is. */
  cors: readonly string[] = []
  /** Where the request counts as in flight until it is answered. */
  lane: WaitingBudget | undefined
  /** What is sent as JSON goes out in this form, for clients that asked for it. */
  form: PlainForm = 'json'

  readonly #budget: AnswerBudget
  readonly #onAnswered: (exchange: Exchange) => void

  /** `budget` is for the bytes of large answers; `onAnswered` hears of the end of the answer, once. */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    budget: AnswerBudget,
    onAnswered: (exchange: Exchange) => void,
  ) {
    this.#budget = budget
    this.#onAnswered = onAnswered
    this.request = request
    this.response = response
    const url = request.url ?? '/'
    const mark = url.indexOf('?')
    this.pathname = mark < 0 ? url : url.slice(0, mark)
    this.#search = mark < 0 ? '' : url.slice(mark + 1)
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#search)
    return this.#query
  }

  get hasQuery(): boolean {
    return this.#search !== ''
  }

  /** The parameter, or the empty string. */
  param(name: string): string {
    return this.#search === '' ? '' : (this.query.get(name) ?? '')
  }

  /** The parameter as a whole number; 0 when there is none. */
  number(name: string): number {
    const text = this.param(name)
    if (text === '') return 0
    if (!/^[-+]?\d{1,18}$/.test(text))
      throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
    return Number(text)
  }

  /** Go's reading of a boolean parameter: present and not false. */
  flag(name: string): boolean {
    if (this.#search === '') return false
    const value = this.query.get(name)
    return value !== null && value !== 'false' && value !== '0'
  }

  warn(text: string): void {
    if (!this.#warnings.includes(text)) this.#warnings.push(text)
  }

  /** Browsers and curl are read by people. */
  get pretty(): boolean {
    if (this.#search !== '') {
      const asked = this.query.get('pretty')
      if (asked !== null) return asked !== 'false' && asked !== '0'
    }
    const agent = this.request.headers['user-agent']
    return (
      agent !== undefined && (agent.startsWith('curl') || agent.startsWith('Wget') || agent.startsWith('Mozilla/5.0'))
    )
  }

  head(
    status: number,
    contentType: string,
    length: number | undefined,
    more: readonly string[] = [],
    cacheControl = PRIVATE,
  ): void {
    const headers = ['Content-Type', contentType, 'Audit-Id', auditId(), 'Cache-Control', cacheControl]
    if (length !== undefined) headers.push('Content-Length', String(length))
    if (this.#warnings.length > 0) headers.push('Warning', warningHeader(this.#warnings))
    for (const part of more) headers.push(part)
    for (const part of this.cors) headers.push(part)
    this.response.writeHead(status, headers)
  }

  send(status: number, answer: Answer, more?: readonly string[], cacheControl?: string): void {
    const { body } = answer
    if (this.form !== 'json' && answer.contentType === 'application/json') {
      this.#sendTransformed(status, answer, more, cacheControl).catch((error: unknown) => this.fail(error))
      return
    }
    if (body.length > GZIP_ABOVE && this.#takesGzip) {
      this.#sendGzip(status, answer, more ?? [], cacheControl).catch((error: unknown) => this.fail(error))
      return
    }
    if (body.length > LARGE_ANSWER) {
      const { contentType } = answer
      const pieces = slices(body)
      this.#flow(() => this.head(status, contentType, body.length, more, cacheControl), body.length, pieces).catch(
        (error: unknown) => this.fail(error),
      )
      return
    }
    this.head(status, answer.contentType, body.length, more, cacheControl)
    if (this.request.method === 'HEAD') this.response.end()
    // As latin1 text, which is the same bytes, a small body goes out in one write with its head.
    else if (body.length <= SMALL) this.response.end(body.toString('latin1'), 'latin1')
    else this.response.end(body)
    this.answered()
  }

  /** For a status that has no body, such as 304. */
  sendEmpty(status: number, headers: readonly string[], cacheControl = PRIVATE): void {
    this.response.writeHead(status, ['Audit-Id', auditId(), 'Cache-Control', cacheControl, ...headers, ...this.cors])
    this.response.end()
    this.answered()
  }

  async #sendTransformed(status: number, { body }: Answer, more?: readonly string[], cacheControl?: string) {
    const { form } = this
    // Should the answer have no message, then its error goes out as JSON.
    this.form = 'json'
    const answer =
      form === 'yaml'
        ? { contentType: 'application/yaml', body: await writeYaml(readJson(body.toString()).value) }
        : { contentType: PROTOBUF_TYPE, body: (await loadProtobuf()).encode(body) }
    this.send(status, answer, more, cacheControl)
  }

  get #takesGzip(): boolean {
    return this.request.method !== 'HEAD' && acceptsGzip(this.request.headers['accept-encoding'])
  }

  async #sendGzip(status: number, answer: Answer, more: readonly string[], cacheControl?: string): Promise<void> {
    const body = await gzipBytes(answer.body)
    const headers = [...more, ...GZIP_HEADERS]
    await this.#flow(
      () => this.head(status, answer.contentType, body.length, headers, cacheControl),
      body.length,
      slices(body),
    )
  }

  /** Headers and a body that are known as they are, such as a document that is kept. */
  sendKept(status: number, headers: Readonly<Record<string, string>>, body: Buffer): Promise<void> {
    const { response } = this
    return this.#flow(
      () => response.writeHead(status, [...Object.entries(headers).flat(), ...this.cors]),
      body.length,
      slices(body),
    )
  }

  sendText(status: number, text: string, contentType = 'text/plain; charset=utf-8'): void {
    this.send(status, { contentType, body: Buffer.from(text) })
  }

  sendJson(status: number, value: unknown): void {
    this.send(status, answerJson(value, this.pretty))
  }

  /** Writes piece by piece, no faster than the client reads. */
  sendPieces(status: number, { contentType, length, pieces }: Pieces): Promise<void> {
    const compressed = (length ?? Number.POSITIVE_INFINITY) > GZIP_ABOVE && this.#takesGzip
    const head = () => this.head(status, contentType, compressed ? undefined : length, compressed ? GZIP_HEADERS : [])
    return this.#flow(head, length, pieces, compressed)
  }

  async #flow(
    head: () => void,
    length: number | undefined,
    pieces: Iterable<Buffer>,
    compressed = false,
  ): Promise<void> {
    const flow = new AnswerFlow(this.response, this.#budget, length)
    const waiting = flow.begin()
    if (waiting !== undefined) await waiting
    try {
      const iterator = pieces[Symbol.iterator]()
      // The first piece may find damage; then the answer is an error and not half a list.
      const first = iterator.next()
      head()
      if (this.request.method === 'HEAD') this.response.end()
      else await flow.write(compressed ? this.#compressor() : this.response, compressed, first, iterator)
    } finally {
      flow.end()
    }
    this.answered()
  }

  #compressor(): Writable {
    const gzip = gzipStream()
    gzip.on('error', () => this.response.destroy())
    this.response.once('close', () => gzip.destroy())
    gzip.pipe(this.response)
    return gzip
  }

  /** Called by whoever ends an answer that was not sent from here. */
  answered(): void {
    this.#onAnswered(this)
  }

  fail(error: unknown): void {
    const failure = isStatusError(error) ? error : internalError((error as Error)?.message ?? String(error))
    this.failure = failure
    if (this.response.headersSent) {
      this.response.destroy()
      this.answered()
      return
    }
    const retry = failure.status.details?.retryAfterSeconds
    const body = Buffer.from(
      JSON.stringify(failure.status, null, this.pretty ? 2 : undefined) + (this.pretty ? '\n' : ''),
    )
    const more = retry === undefined ? [] : ['Retry-After', String(retry)]
    const answer = () => {
      if (this.#bodyRead) this.send(failure.code, { contentType: 'application/json', body }, more)
      else this.#refuse(failure.code, body, more)
    }
    // A little is read to its end for the sake of the connection.
    if (this.#bodyRead || !(Number(this.request.headers['content-length']) <= SMALL_BODY)) answer()
    else dropRest(this.request, answer)
  }

  /** A request that announces no body is complete before its parser says so. */
  get #bodyRead(): boolean {
    const { complete, headers } = this.request
    return complete || (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
  }

  /** Answers before the body has come to its end. What is left of it is not read: the connection goes with it. */
  #refuse(status: number, body: Buffer, more: readonly string[]): void {
    this.head(status, 'application/json', body.length, [...more, 'Connection', 'close'])
    this.response.write(body)
    dropRest(this.request, () => this.response.end())
    this.answered()
  }

  notFound(): void {
    this.sendText(404, '404 page not found\n')
  }
}

const PRIVATE = 'no-cache, private'
const SMALL = 8 << 10
const SMALL_BODY = 64 << 10
/** Above so many bytes an answer goes out piece by piece. */
const LARGE_ANSWER = 256 << 10
const SLICE = 256 << 10

function* slices(body: Buffer): Generator<Buffer> {
  for (let from = 0; from < body.length; from += SLICE) yield body.subarray(from, from + SLICE)
}

function auditId(): string {
  return auditPrefix + (auditCount++).toString(16).padStart(12, '0')
}
