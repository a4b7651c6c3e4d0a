// The one way out of the client: a request in, an answer with a stream of bytes out. `node/` has a transport over
// sockets (TCP, TLS, or a stream inside this process), `fetch-transport.ts` one for browsers.

export interface TransportRequest {
  readonly method: string
  /** Path and query, beginning with a slash. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal | undefined
}

export interface TransportResponse {
  readonly status: number
  /** The header's value; names in any case. */
  header(name: string): string | undefined
  /** Ends when the answer does; throws when the connection breaks before. Leaving the loop early ends the request. */
  readonly body: AsyncIterable<Uint8Array>
}

export interface Transport {
  /** Rejects when no answer came: a broken connection, an aborted signal. Any answer resolves, whatever its status. */
  send(request: TransportRequest): Promise<TransportResponse>
  /** Where it leads, for logs. */
  readonly server?: string
  /** Ends what is under way. Safe to call twice. */
  close(): void
}
