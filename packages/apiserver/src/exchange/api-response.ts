// The response to a request: whole bytes, pieces that are made as the client reads, or no body. Handlers call it. It
// converts to forms other than JSON and compresses, so that handlers need not.

import { readJson } from '@homeostat/meta'
import type { Pieces } from '../represent/list-response.ts'
import { jsonResponse, type ResponseBody } from '../represent/object-response.ts'
import { loadProtobuf, PROTOBUF_TYPE } from '../represent/protobuf.ts'
import type { PlainForm } from '../represent/representation.ts'
import { writeYaml } from '../represent/yaml.ts'
import type { ApiRequest } from './api-request.ts'
import type { AuditIds } from './audit-ids.ts'
import { acceptsGzip, compressorFor, GZIP_ABOVE, GZIP_HEADERS, gzipBytes } from './compression.ts'
import { dropRest } from './drop-rest.ts'
import type { ResponseBudget } from './response-budget.ts'
import { ResponseFlow } from './response-flow.ts'
import type { Transport } from './transport.ts'
import { warningHeader } from './warning-header.ts'

/** The parts that all responses of a server share. */
export interface ResponseParts {
  /** The budget of bytes for large responses. */
  readonly responses: ResponseBudget
  readonly auditIds: AuditIds
}

/** The owner of a response, which is notified of its end. */
export interface ResponseOwner {
  /** The response is sent, or another part has taken it over. */
  answered(): void
  /** The response could not be made or completed. */
  fail(error: unknown): void
}

export class ApiResponse {
  /** CORS headers of every response, also of an error. */
  cors: readonly string[] = []
  /** The negotiated form; bodies passed as JSON are converted to it. */
  form: PlainForm = 'json'
  readonly #request: ApiRequest
  readonly #transport: Transport
  readonly #parts: ResponseParts
  readonly #owner: ResponseOwner
  readonly #warnings: string[] = []

  constructor(request: ApiRequest, transport: Transport, parts: ResponseParts, owner: ResponseOwner) {
    this.#request = request
    this.#transport = transport
    this.#parts = parts
    this.#owner = owner
  }

  /** Adds a Warning header, once per text. */
  warn(text: string): void {
    if (!this.#warnings.includes(text)) this.#warnings.push(text)
  }

  /** Sends the head of a response whose body the caller writes to the transport. */
  head(
    status: number,
    contentType: string,
    length: number | undefined,
    more: readonly string[] = [],
    cacheControl = PRIVATE,
  ): void {
    this.#transport.head(status, this.#headers(contentType, length, more, cacheControl))
  }

  #headers(contentType: string, length: number | undefined, more: readonly string[], cacheControl: string): string[] {
    const id = this.#parts.auditIds.next()
    const headers = ['Content-Type', contentType, 'Audit-Id', id, 'Cache-Control', cacheControl]
    if (length !== undefined) headers.push('Content-Length', String(length))
    if (this.#warnings.length > 0) headers.push('Warning', warningHeader(this.#warnings))
    for (const part of more) headers.push(part)
    for (const part of this.cors) headers.push(part)
    return headers
  }

  send(status: number, answer: ResponseBody, more?: readonly string[], cacheControl?: string): void {
    const { contentType, body } = answer
    if (this.form !== 'json' && contentType === 'application/json') {
      this.#settle(this.#sendTransformed(status, answer, more, cacheControl))
      return
    }
    if (body.length > GZIP_ABOVE && this.#takesGzip) {
      this.#settle(this.#sendGzip(status, answer, more, cacheControl))
      return
    }
    if (body.length > LARGE) {
      const head = () => this.head(status, contentType, body.length, more, cacheControl)
      this.#settle(this.#flow(head, body.length, slices(body)))
      return
    }
    this.head(status, contentType, body.length, more, cacheControl)
    if (this.#request.method === 'HEAD') this.#transport.out.end()
    else this.#transport.end(body)
    this.#owner.answered()
  }

  /** Sends a status that has no body, such as 304. */
  sendEmpty(status: number, headers: readonly string[], cacheControl = PRIVATE): void {
    const id = this.#parts.auditIds.next()
    this.#transport.head(status, ['Audit-Id', id, 'Cache-Control', cacheControl, ...headers, ...this.cors])
    this.#transport.out.end()
    this.#owner.answered()
  }

  /** Sends a cached document with its headers; undefined for no body. */
  sendKept(status: number, headers: Readonly<Record<string, string>>, body: Buffer | undefined): Promise<void> {
    const head = () => this.#transport.head(status, [...Object.entries(headers).flat(), ...this.cors])
    return this.#flow(head, body?.length ?? 0, body === undefined ? [] : slices(body))
  }

  /** Sends bytes with all their headers, such as a page's file that is compressed already. */
  sendPage(status: number, headers: readonly string[], body: Buffer): void {
    this.#transport.head(status, [...headers, 'Content-Length', String(body.length), ...this.cors])
    if (this.#request.method === 'HEAD') this.#transport.out.end()
    else this.#transport.end(body)
    this.#owner.answered()
  }

  sendText(status: number, text: string, contentType = 'text/plain; charset=utf-8'): void {
    this.send(status, { contentType, body: Buffer.from(text) })
  }

  sendJson(status: number, value: unknown): void {
    this.send(status, jsonResponse(value, this.#request.pretty))
  }

  /** Writes piece by piece, no faster than the client reads. */
  sendPieces(status: number, { contentType, length, pieces }: Pieces): Promise<void> {
    const compressed = (length ?? Number.POSITIVE_INFINITY) > GZIP_ABOVE && this.#takesGzip
    const head = () => this.head(status, contentType, compressed ? undefined : length, compressed ? GZIP_HEADERS : [])
    return this.#flow(head, length, pieces, compressed)
  }

  /** Responds before the request's body is complete. The rest of the body is read and dropped before the response ends. */
  sendEarly(status: number, { contentType, body }: ResponseBody, more: readonly string[]): void {
    const { out } = this.#transport
    this.#transport.head(status, this.#headers(contentType, body.length, more, PRIVATE), true)
    out.write(body)
    dropRest(this.#request.message, () => out.end())
    this.#owner.answered()
  }

  /** 404 for an unknown path, in the words of Go's mux. */
  notFound(): void {
    this.sendText(404, '404 page not found\n')
  }

  #settle(sending: Promise<void>): void {
    sending.catch((error: unknown) => this.#owner.fail(error))
  }

  async #sendTransformed(status: number, { body }: ResponseBody, more?: readonly string[], cacheControl?: string) {
    const { form } = this
    // If the body has no protobuf message, the error is sent as JSON.
    this.form = 'json'
    const answer =
      form === 'yaml'
        ? { contentType: 'application/yaml', body: await writeYaml(readJson(body.toString()).value) }
        : { contentType: PROTOBUF_TYPE, body: (await loadProtobuf()).encode(body) }
    this.send(status, answer, more, cacheControl)
  }

  get #takesGzip(): boolean {
    return this.#request.method !== 'HEAD' && acceptsGzip(this.#request.headers['accept-encoding'])
  }

  async #sendGzip(
    status: number,
    answer: ResponseBody,
    more: readonly string[] = [],
    cacheControl?: string,
  ): Promise<void> {
    const body = await gzipBytes(answer.body)
    const headers = [...more, ...GZIP_HEADERS]
    const head = () => this.head(status, answer.contentType, body.length, headers, cacheControl)
    await this.#flow(head, body.length, slices(body))
  }

  async #flow(
    head: () => void,
    length: number | undefined,
    pieces: Iterable<Buffer>,
    compressed = false,
  ): Promise<void> {
    const { out } = this.#transport
    const flow = new ResponseFlow(this.#transport, this.#parts.responses, length)
    const waiting = flow.begin()
    if (waiting !== undefined) await waiting
    try {
      const iterator = pieces[Symbol.iterator]()
      // Make the first piece before sending the head: it may find a damaged object, which must become an error response.
      const first = iterator.next()
      head()
      if (this.#request.method === 'HEAD') out.end()
      else await flow.write(compressed ? compressorFor(this.#transport) : out, compressed, first, iterator)
    } finally {
      flow.end()
    }
    this.#owner.answered()
  }
}

const PRIVATE = 'no-cache, private'
/** Larger bodies are sent piece by piece. */
const LARGE = 256 << 10
const SLICE = 256 << 10

function* slices(body: Buffer): Generator<Buffer> {
  for (let from = 0; from < body.length; from += SLICE) yield body.subarray(from, from + SLICE)
}
