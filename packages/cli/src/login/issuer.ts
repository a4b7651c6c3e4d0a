// Talks to an OIDC issuer: discovery, and requests to its endpoints. Over https alone, without redirects, in bounded time and size.

import { isObject, writeJson } from '@homeostat/meta'
import { Fault, systemCode } from '../fault.ts'

export interface IssuerEndpoints {
  readonly token: string
  readonly authorization: string | undefined
  readonly device: string | undefined
  readonly scopes: readonly string[] | undefined
}

export interface IssuerAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

export interface IssuerOptions {
  /** PEM of the authority of its certificate. Default: those that Node trusts. */
  readonly ca: string | undefined
  readonly signal: AbortSignal
  /** Where its discovery document is. Default: below its URL. */
  readonly discoveryUrl?: string | undefined
  /** What names the authority, for messages. Default: --issuer-ca FILE. */
  readonly caSetting?: string
}

const LONGEST_MS = 30_000
const LARGEST = 1 << 20

export class Issuer {
  readonly url: string
  readonly #options: IssuerOptions

  constructor(url: string, options: IssuerOptions) {
    this.url = url
    this.#options = options
  }

  /** Throws a Fault when the document is not this issuer's. */
  async discover(): Promise<IssuerEndpoints> {
    const place = this.#options.discoveryUrl ?? `${this.url.replace(/\/$/, '')}/.well-known/openid-configuration`
    const { status, body } = await this.#send(place)
    if (status !== 200) throw new Fault(`${this.url} answers ${status} for its openid-configuration; is it an issuer?`)
    if (body.issuer !== this.url)
      throw new Fault(`${this.url} calls itself ${writeJson(body.issuer)}; the issuer's URL must be exactly that`)
    const endpoint = (name: string) => {
      const value = body[name]
      if (value === undefined) return undefined
      if (typeof value === 'string' && URL.canParse(value) && new URL(value).protocol === 'https:') return value
      throw new Fault(`${name} of ${this.url} is no https URL`)
    }
    const token = endpoint('token_endpoint')
    if (token === undefined) throw new Fault(`${this.url} has no token_endpoint`)
    const scopes = body.scopes_supported
    return {
      token,
      authorization: endpoint('authorization_endpoint'),
      device: endpoint('device_authorization_endpoint'),
      scopes: Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : undefined,
    }
  }

  /** Sends a form. An error of OAuth is an answer, too. */
  post(url: string, form: Readonly<Record<string, string>>): Promise<IssuerAnswer> {
    return this.#send(url, new URLSearchParams(form).toString())
  }

  async #send(url: string, form?: string): Promise<IssuerAnswer> {
    try {
      return await this.#exchange(url, form)
    } catch (cause) {
      if (cause instanceof Fault) throw cause
      const { signal, caSetting = '--issuer-ca FILE' } = this.#options
      signal.throwIfAborted()
      const code = systemCode(cause)
      const hint = code?.includes('CERT') || code?.includes('SIGN') ? `; name its authority with ${caSetting}` : ''
      const why = code ?? (cause instanceof Error ? cause.message : String(cause))
      throw new Fault(`${new URL(url).origin} cannot be asked: ${why}${hint}`, { cause })
    }
  }

  #exchange(url: string, form: string | undefined): Promise<IssuerAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<IssuerAnswer>()
    const { ca, signal } = this.#options
    // With the first request: `up` has this module for logins in browsers, and TLS is 2.5 MiB.
    const { request } = process.getBuiltinModule('node:https')
    const sent = request(url, {
      method: form === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
      ...(ca !== undefined && { ca }),
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > LARGEST) sent.destroy(new Error(`it answers with more than ${LARGEST} bytes`))
        else chunks.push(chunk)
      })
      response.on('end', () => {
        const status = response.statusCode ?? 0
        try {
          const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
          if (!isObject(body)) throw new Error('no object')
          resolve({ status, body })
        } catch {
          reject(new Fault(`${url} answers ${status} without a JSON object`))
        }
      })
    })
    sent.end(form)
    return promise
  }
}
