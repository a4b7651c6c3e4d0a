// What a request brings to say who sends it, and where that comes from. Sources answer from memory as long as they can.

export interface Credential {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** A client certificate and its key, PEM. */
  readonly cert?: string
  readonly key?: string
}

export interface Credentials {
  get(signal?: AbortSignal): Promise<Credential>
  /** The server answered 401 to it. True when the next `get` may answer another. */
  refused(credential: Credential): boolean
}

export function bearer(token: string): Credential {
  return { headers: { authorization: `Bearer ${token}` } }
}

export function basic(username: string, password: string): Credential {
  return { headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` } }
}

/** Adds headers, such as those of impersonation, to what a source answers. */
export function withHeaders(source: Credentials, headers: NonNullable<Credential['headers']>): Credentials {
  const inner = new WeakMap<Credential, Credential>()
  return {
    async get(signal) {
      const credential = await source.get(signal)
      const whole = { ...credential, headers: { ...credential.headers, ...headers } }
      inner.set(whole, credential)
      return whole
    },
    refused: (whole) => source.refused(inner.get(whole) ?? whole),
  }
}

/** The same for as long as the client lives. */
export function fixed(credential: Credential): Credentials {
  return { get: () => Promise.resolve(credential), refused: () => false }
}
