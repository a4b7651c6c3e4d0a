// One watch of etcd, on a stream of its own, so that a progress message, which etcd sends per stream, is about it. The client
// opens it and the store reads it. It never resumes by itself: the reader knows what it has seen.

import { type ClientHttp2Stream, constants } from 'node:http2'
import type { Connection } from './connection.ts'
import type { EtcdWatch, WatchEvent, WatchMessage, WatchRequest } from './contract.ts'
import { EtcdError } from './etcd-error.ts'
import { framed } from './grpc-frame.ts'
import { errorOf } from './grpc-status.ts'
import { decodeWatch, encodeProgressRequest, encodeWatchCreate } from './watch-messages.ts'

export const WATCH_PATH = '/etcdserverpb.Watch/Watch'
/** So many bytes of messages that nobody has read stop the stream, and flow control the member. */
const HELD_BYTES = 4 << 20

export class Watch implements EtcdWatch {
  readonly created: Promise<void>
  readonly #signal: AbortSignal
  /** The most that the fragments of one response may have together. */
  readonly #maxBytes: number
  #queue: { message: WatchMessage; bytes: number }[] = []
  #heldBytes = 0
  /** Of the fragments whose last one has not come. */
  #fragments: WatchEvent[] = []
  #fragmentBytes = 0
  #stream: ClientHttp2Stream | undefined
  /** Asked for before there was a stream. */
  #progressWanted = false
  #wake: (() => void) | undefined
  #ended = false
  #error: EtcdError | undefined
  #onCreated: () => void = () => {}
  #onFailed: (error: EtcdError) => void = () => {}

  constructor(
    connection: Promise<{ connection: Connection; token: string | undefined }>,
    request: WatchRequest,
    signal: AbortSignal,
    maxBytes: number,
  ) {
    this.#signal = signal
    this.#maxBytes = maxBytes
    this.created = new Promise((resolve, reject) => {
      this.#onCreated = resolve
      this.#onFailed = reject
    })
    // Whoever reads the watch learns of it there.
    this.created.catch(() => {})
    signal.addEventListener('abort', this.#abort, { once: true })
    if (signal.aborted) this.#abort()
    connection.then(
      (target) => this.#open(target.connection, target.token, request),
      (error) => this.#end(error),
    )
  }

  requestProgress(): void {
    if (this.#ended) return
    if (this.#stream === undefined) this.#progressWanted = true
    else this.#stream.write(framed(encodeProgressRequest()))
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchMessage> {
    try {
      for (;;) {
        for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
          this.#release(next.bytes)
          if (this.#signal.aborted) return
          yield next.message
        }
        if (this.#ended) break
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
      if (this.#error !== undefined && !this.#signal.aborted) throw this.#error
    } finally {
      this.#abort()
    }
  }

  #open(connection: Connection, token: string | undefined, request: WatchRequest): void {
    if (this.#ended) return
    const { endpoint } = connection
    this.#stream = connection.open(WATCH_PATH, token, true, undefined, {
      message: (bytes, stream) => this.#take(bytes, stream, endpoint),
      end: (error) => this.#end(error ?? new EtcdError('unreachable', `${endpoint}: the member ended the watch`)),
    })
    this.#stream?.write(framed(encodeWatchCreate(request)))
    if (this.#progressWanted) this.requestProgress()
  }

  #take(bytes: Buffer, stream: ClientHttp2Stream, endpoint: string): void {
    if (this.#ended) return
    const response = decodeWatch(bytes)
    if (response.cancelled) {
      this.#end(cancellation(response, endpoint))
      return
    }
    if (response.created) {
      this.#onCreated()
      return
    }
    const { revision } = response
    this.#fragmentBytes += bytes.length
    if (this.#fragmentBytes > this.#maxBytes) {
      const text = `${endpoint}: the fragments of one response have more than ${this.#maxBytes} bytes`
      this.#end(new EtcdError('answer-too-large', text, { endpoint }))
      return
    }
    if (response.fragment || this.#fragments.length > 0) this.#fragments.push(...response.events)
    if (response.fragment) return
    const events = this.#fragments.length > 0 ? this.#fragments : response.events
    const size = this.#fragmentBytes
    this.#fragments = []
    this.#fragmentBytes = 0
    const message: WatchMessage =
      events.length === 0 ? { type: 'progress', revision } : { type: 'events', revision, events }
    this.#queue.push({ message, bytes: size })
    this.#heldBytes += size
    if (this.#heldBytes > HELD_BYTES) stream.pause()
    this.#wakeReader()
  }

  #release(bytes: number): void {
    this.#heldBytes -= bytes
    if (this.#heldBytes <= HELD_BYTES && this.#stream?.isPaused() === true) this.#stream.resume()
  }

  readonly #abort = () => this.#end(undefined)

  #end(error: EtcdError | undefined): void {
    if (this.#ended) return
    this.#ended = true
    this.#error = error
    this.#signal.removeEventListener('abort', this.#abort)
    this.#onFailed(error ?? new EtcdError('aborted', 'the watch was aborted'))
    this.#stream?.close(constants.NGHTTP2_CANCEL)
    this.#wakeReader()
  }

  #wakeReader(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }
}

function cancellation(response: ReturnType<typeof decodeWatch>, endpoint: string): EtcdError {
  const { compactRevision, reason } = response
  if (compactRevision > 0) {
    const text = `${endpoint}: the watch starts below revision ${compactRevision}, which is the oldest that is kept`
    return new EtcdError('compacted', text, { compactRevision, endpoint })
  }
  return errorOf(undefined, reason || 'the member cancelled the watch', endpoint)
}
