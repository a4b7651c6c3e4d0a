// The transport interface: a request in, a response with a stream of bytes out. `node/` has a transport over sockets
// (TCP, TLS, or a stream inside this process), `fetch-transport.ts` one for browsers.

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
  /** Header names are case-insensitive. */
  header(name: string): string | undefined
  /** Throws when the connection breaks before the end of the body. Leaving the loop early cancels the request. */
  readonly body: AsyncIterable<Uint8Array>
}

export interface Transport {
  /** Rejects without a response: a broken connection or an aborted signal. Resolves for any status. */
  send(request: TransportRequest): Promise<TransportResponse>
  /** The server's address, for logs. */
  readonly server?: string
  /** Aborts open requests. Safe to call twice. */
  close(): void
}
