// One connection to one member: an HTTP/2 session with calls of gRPC on it, many at a time. The pool dials it. It decides nothing
// about other members, and never repeats a call.

import type { SecureClientSessionOptions } from 'node:http2'
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2'
import type { EtcdTls } from '../options.ts'
import type { Counters } from './counters.ts'
import { EtcdError, type EtcdErrorKind, isEtcdError } from './etcd-error.ts'
import { FrameReader } from './grpc-frame.ts'
import { statusError } from './grpc-status.ts'

export interface ConnectionOptions {
  readonly endpoint: string
  readonly tls: EtcdTls | undefined
  readonly dialTimeoutMs: number
  readonly maxResponseBytes: number
  readonly counters: Counters
}

export interface UnaryCall {
  readonly path: string
  /** With its prefix. */
  readonly body: Buffer
  readonly token: string | undefined
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** Asks the member to refuse at once while it knows of no leader. */
  readonly needsLeader: boolean
}

/** What one stream may hold before it is read; and all streams of the session. */
const STREAM_WINDOW = 1 << 20
const SESSION_WINDOW = 8 << 20
const { NGHTTP2_REFUSED_STREAM, NGHTTP2_CANCEL, NGHTTP2_NO_ERROR } = constants

export class Connection {
  readonly endpoint: string
  readonly #options: ConnectionOptions
  readonly #session: ClientHttp2Session
  readonly #authority: string
  readonly #scheme: string
  #streams = 0
  #retired = false
  #failure: EtcdError | undefined
  /** Streams above it were not processed, as the member said when it went away. */
  #lastStream = Number.POSITIVE_INFINITY
  /** Rises whenever the member shows that it is there. */
  heard = 0

  private constructor(options: ConnectionOptions, session: ClientHttp2Session) {
    this.endpoint = options.endpoint
    this.#options = options
    this.#session = session
    const url = new URL(options.endpoint)
    this.#authority = url.host
    this.#scheme = url.protocol.slice(0, -1)
    session.on('error', (error) => this.#fail(connectionError(error, this.endpoint)))
    session.on('close', () => this.#fail(new EtcdError('unreachable', `${this.endpoint}: the connection ended`)))
    session.on('goaway', (code, lastStream) => {
      this.#retired = true
      this.#lastStream = lastStream
      if (code === NGHTTP2_NO_ERROR) this.#closeWhenIdle()
    })
  }

  static dial(options: ConnectionOptions, signal: AbortSignal): Promise<Connection> {
    const { ca, cert, key } = options.tls ?? {}
    const secure: SecureClientSessionOptions = options.endpoint.startsWith('https:')
      ? { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) }
      : {}
    return new Promise((resolve, reject) => {
      const session = connect(options.endpoint, {
        ...secure,
        settings: { enablePush: false, initialWindowSize: STREAM_WINDOW },
        // Megabytes. What is held is bounded by the windows and the calls in flight; at its own bound Node resets streams.
        maxSessionMemory: 1024,
      })
      options.counters.dials++
      const fail = (error: EtcdError) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        reject(error)
        session.destroy()
      }
      const abort = () => fail(new EtcdError('aborted', 'the client was closed'))
      const timer = setTimeout(
        () =>
          fail(new EtcdError('unreachable', `${options.endpoint}: no connection within ${options.dialTimeoutMs} ms`)),
        options.dialTimeoutMs,
      )
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort, { once: true })
      session.once('error', (error) => fail(connectionError(error, options.endpoint)))
      session.once('connect', () => {
        // A session that was given up tells of its socket all the same, if that connects before it is closed.
        if (session.destroyed) return
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        session.setLocalWindowSize(SESSION_WINDOW)
        resolve(new Connection(options, session))
      })
    })
  }

  /** Whether new calls may be made on it. */
  get usable(): boolean {
    return !this.#retired && this.#failure === undefined && !this.#session.closed && !this.#session.destroyed
  }

  /** Whether it ended, or is about to. */
  get broken(): boolean {
    return this.#failure !== undefined || this.#session.destroyed
  }

  /** Whether calls or watches are on it. */
  get busy(): boolean {
    return this.#streams > 0
  }

  /** Resolves to the message of the answer. */
  call(call: UnaryCall): Promise<Buffer> {
    const { endpoint } = this
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      let answer: Buffer | undefined
      const abort = () => stop(new EtcdError('aborted', 'the call was aborted', { maybeApplied: true, endpoint }))
      const end = () => {
        clearTimeout(timer)
        call.signal?.removeEventListener('abort', abort)
      }
      const stream = this.open(call.path, call.token, call.needsLeader, call.timeoutMs, {
        message: (bytes) => {
          answer ??= bytes
        },
        end: (error) => {
          end()
          if (error !== undefined) reject(error)
          else if (answer !== undefined) resolve(answer)
          else
            reject(
              new EtcdError('protocol', `${endpoint}: an answer without a message`, { maybeApplied: true, endpoint }),
            )
        },
      })
      if (stream === undefined) return
      const stop = (error: EtcdError) => {
        end()
        reject(error)
        stream.close(NGHTTP2_CANCEL)
      }
      timer = setTimeout(() => {
        const text = `${endpoint}: no answer within ${call.timeoutMs} ms`
        stop(new EtcdError('timeout', text, { maybeApplied: true, endpoint }))
      }, call.timeoutMs)
      call.signal?.addEventListener('abort', abort, { once: true })
      this.#options.counters.bytesSent += call.body.length
      stream.end(call.body)
    })
  }

  /**
   * Opens a stream. `end` is called once, without an error after a status of OK; when the stream cannot even be opened, before
   * this returns undefined.
   */
  open(
    path: string,
    token: string | undefined,
    needsLeader: boolean,
    timeoutMs: number | undefined,
    handler: { message(bytes: Buffer, stream: ClientHttp2Stream): void; end(error: EtcdError | undefined): void },
  ): ClientHttp2Stream | undefined {
    const { endpoint } = this
    let stream: ClientHttp2Stream
    try {
      stream = this.#session.request({
        ':method': 'POST',
        ':scheme': this.#scheme,
        ':authority': this.#authority,
        ':path': path,
        'content-type': 'application/grpc',
        te: 'trailers',
        ...(needsLeader && { hasleader: 'true' }),
        ...(timeoutMs !== undefined && { 'grpc-timeout': `${Math.max(1, Math.ceil(timeoutMs))}m` }),
        ...(token !== undefined && { token }),
      })
    } catch (cause) {
      handler.end(new EtcdError('unreachable', `${endpoint}: the connection ended`, { endpoint, cause }))
      return undefined
    }
    this.#streams++
    const frames = new FrameReader(this.#options.maxResponseBytes)
    let ended = false
    let failure: EtcdError | undefined
    let status: EtcdError | 'fine' | undefined
    const settle = (error: EtcdError | undefined) => {
      if (ended) return
      ended = true
      handler.end(error)
    }
    stream.on('response', (headers) => {
      this.heard++
      // An answer of headers alone; or one that is not gRPC, whose body says nothing.
      if (headers['grpc-status'] !== undefined || headers[':status'] !== 200) {
        status = statusError(headers, endpoint) ?? 'fine'
      }
    })
    stream.on('trailers', (headers) => {
      status = statusError(headers, endpoint) ?? 'fine'
    })
    stream.on('data', (part: Buffer) => {
      this.heard++
      this.#options.counters.bytesReceived += part.length
      if (failure !== undefined || isEtcdError(status)) return
      try {
        frames.take(part, (bytes) => handler.message(bytes, stream))
      } catch (error) {
        failure = isEtcdError(error) ? uncertainly(error, endpoint) : unreadable(error, endpoint)
        settle(failure)
        stream.close(NGHTTP2_CANCEL)
      }
    })
    stream.on('end', () => {
      if (status === undefined) return
      if (status !== 'fine') settle(status)
      else if (frames.unfinished) settle(unreadable(new Error('it ended in the middle of a message'), endpoint))
      else settle(undefined)
    })
    stream.on('error', () => {
      // What it was is told by `close`.
    })
    stream.on('close', () => {
      this.#streams--
      // An error takes a stack along, which costs more than a call.
      if (!ended) settle(isEtcdError(status) ? status : this.#broken(stream))
      this.#closeWhenIdle()
    })
    return stream
  }

  /** No new calls are made; it ends with the last one. */
  retire(): void {
    this.#retired = true
    this.#closeWhenIdle()
  }

  /** Ends it, and all calls on it with the error. */
  destroy(error: EtcdError): void {
    this.#fail(error)
    this.#session.destroy()
  }

  #closeWhenIdle(): void {
    if (this.#retired && this.#streams === 0) this.#session.close()
  }

  #fail(error: EtcdError): void {
    this.#failure ??= error
  }

  /** Why a stream ended without a status, and whether the member can have seen it. */
  #broken(stream: ClientHttp2Stream): EtcdError {
    const { endpoint } = this
    const unseen = stream.id === undefined || stream.id > this.#lastStream || stream.rstCode === NGHTTP2_REFUSED_STREAM
    const cause = this.#failure
    const why = cause?.message ?? `${endpoint}: the stream was reset with code ${stream.rstCode}`
    return new EtcdError(cause?.kind ?? 'unreachable', why, { maybeApplied: !unseen, endpoint, cause })
  }
}

function uncertainly(error: EtcdError, endpoint: string): EtcdError {
  return new EtcdError(error.kind, `${endpoint}: ${error.message}`, { maybeApplied: true, endpoint })
}

function unreadable(error: unknown, endpoint: string): EtcdError {
  const text = error instanceof Error ? error.message : `${error}`
  return new EtcdError('protocol', `${endpoint}: an answer that cannot be read: ${text}`, {
    maybeApplied: true,
    endpoint,
    cause: error,
  })
}

/** Certificates that do not lead to an authority, are for another name, or are not accepted: no other member will help. */
const TLS_CODES = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/

function connectionError(error: Error & { code?: string; cause?: unknown }, endpoint: string): EtcdError {
  if (isEtcdError(error)) return error
  const code = error.code ?? ''
  const kind: EtcdErrorKind = TLS_CODES.test(code) ? 'denied' : 'unreachable'
  const hint = kind === 'denied' ? '; check the certificates' : ''
  return new EtcdError(kind, `${endpoint}: ${error.message || code}${hint}`, { endpoint, cause: error })
}
