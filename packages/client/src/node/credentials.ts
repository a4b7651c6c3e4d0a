// What a request brings to say who sends it, and where that comes from. Sources answer from memory as long as they can.

export interface Credential {
  readonly headers?: Readonly<Record<string, string>>
  /** A client certificate and its key, PEM. */
  readonly cert?: string
  readonly key?: string
}

export interface Credentials {
  get(signal?: AbortSignal): Promise<Credential>
  /** The server answered 401 to it. True when the next `get` may answer another. */
  refused(credential: Credential): boolean
}
