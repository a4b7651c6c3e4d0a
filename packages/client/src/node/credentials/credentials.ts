// The credential that a request carries, and the sources of credentials. Sources cache a credential as long as it is
// valid.

export interface Credential {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** A client certificate and its key, PEM. */
  readonly cert?: string
  readonly key?: string
}

export interface Credentials {
  get(signal?: AbortSignal): Promise<Credential>
  /** Called after a 401. Returns true when the next `get` may return a different credential. */
  refused(credential: Credential): boolean
}

export function bearer(token: string): Credential {
  return { headers: { authorization: `Bearer ${token}` } }
}

export function basic(username: string, password: string): Credential {
  return { headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` } }
}

/** Adds headers, such as those of impersonation, to a source's credentials. */
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

/** A source with one credential that never changes. */
export function fixed(credential: Credential): Credentials {
  return { get: () => Promise.resolve(credential), refused: () => false }
}
