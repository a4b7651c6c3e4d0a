// A request as handlers see it: path, query parameters as Go parses them, headers. read-body.ts reads its body.

import type { IncomingHttpHeaders } from 'node:http'
import { badRequest } from '@homeostat/meta'
import type { Peer } from '../identity/peer.ts'
import type { Negotiation } from '../represent/representation.ts'
import type { YamlWorkers } from '../represent/yaml.ts'
import type { BatchRequests } from './batch-requests.ts'
import type { RequestMessage, Transport } from './transport.ts'

/** What the requests of a server share. */
export interface RequestParts {
  /** Where requests of one turn of the event loop meet, once their bodies are complete. */
  readonly batch: BatchRequests
  readonly negotiation: Negotiation
  readonly yaml: YamlWorkers
}

export class ApiRequest {
  readonly message: RequestMessage
  readonly method: string
  readonly pathname: string
  /** Where its connection comes from. */
  readonly peer: Peer
  readonly parts: RequestParts
  readonly #search: string
  #query: URLSearchParams | undefined

  constructor({ message, peer }: Pick<Transport, 'message' | 'peer'>, parts: RequestParts) {
    this.message = message
    this.peer = peer
    this.parts = parts
    this.method = message.method ?? ''
    const url = message.url ?? '/'
    const mark = url.indexOf('?')
    this.pathname = mark < 0 ? url : url.slice(0, mark)
    this.#search = mark < 0 ? '' : url.slice(mark + 1)
  }

  get headers(): IncomingHttpHeaders {
    return this.message.headers
  }

  /** Alternating names and values, as they were sent. */
  get rawHeaders(): readonly string[] {
    return this.message.rawHeaders
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

  /** Whether JSON is indented, as for browsers and curl, whose output people read. */
  get pretty(): boolean {
    if (this.#search !== '') {
      const asked = this.query.get('pretty')
      if (asked !== null) return asked !== 'false' && asked !== '0'
    }
    const agent = this.headers['user-agent']
    return (
      agent !== undefined && (agent.startsWith('curl') || agent.startsWith('Wget') || agent.startsWith('Mozilla/5.0'))
    )
  }
}
