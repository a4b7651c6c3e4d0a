// A client that creates, replaces, patches, deletes, reads and lists Widgets that others write, too, at one server until that fails
// it, and writes down what it was told in the form that the checkers read.

import type { Action, List, Operation, Outcome } from '../cluster/checkers/operations.ts'
import { keyOf } from '../crash/ledger.ts'
import type { Random } from '../crash/random.ts'
import { makeWidget, tokenOf } from '../crash/token.ts'
import { revisionOf } from '../http-call.ts'
import { widgetPath } from '../widgets.ts'
import { type Asked, Asker } from './ask.ts'
import type { KeptServer } from './kept-server.ts'

export const NAMESPACE = 'default'
/** What a client does between two requests. */
const PAUSE_MS = [0, 60] as const
/** How often it goes to another server for no reason. */
const MOVES = 12

export interface Told {
  readonly operations: Operation[]
  readonly lists: List[]
  /** Answers that a sound server does not give. */
  readonly surprises: string[]
}

interface Known {
  readonly revision: number
  readonly token: string
}

export class WidgetClient {
  readonly #name: string
  readonly #random: Random
  readonly #servers: readonly KeptServer[]
  readonly #told: Told
  readonly #keys: number
  readonly #asker = new Asker()
  readonly #known = new Map<string, Known | 'absent'>()
  #server: KeptServer
  #count = 0

  constructor(name: string, random: Random, servers: readonly KeptServer[], told: Told, keys: number) {
    this.#name = name
    this.#random = random
    this.#servers = servers
    this.#told = told
    this.#keys = keys
    this.#server = this.#anyServer()
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#act()
      if (this.#random.between(0, MOVES) === 0) this.#server = this.#anyServer()
      await new Promise((resolve) => setTimeout(resolve, this.#random.between(...PAUSE_MS)))
    }
    this.#asker.close()
  }

  /** Reads until each key's state has been told, by every server. */
  async readAll(): Promise<void> {
    for (const server of this.#servers) {
      this.#server = server
      for (let key = 0; key < this.#keys; key++) await this.#read(`k${key}`, 'newest')
      await this.#list('newest')
    }
    this.#asker.close()
  }

  async #act(): Promise<void> {
    const name = `k${this.#random.between(0, this.#keys)}`
    const dice = this.#random.between(0, 100)
    if (dice < 4) return this.#list(this.#random.pick(['newest', 'any']))
    if (dice < 30) return this.#read(name, dice < 24 ? 'newest' : 'any')
    const known = this.#known.get(name)
    if (known === undefined) return this.#read(name, 'newest')
    const token = `${this.#name}-${++this.#count}`
    const held = known === 'absent' ? undefined : known
    if (held === undefined) return this.#write('POST', name, { verb: 'create', token }, makeWidget(name, token))
    const precondition = { resourceVersion: String(held.revision) }
    if (dice < 45)
      return this.#write('DELETE', name, { verb: 'delete', expected: held.token }, { preconditions: precondition })
    const widget = makeWidget(name, token)
    if (dice < 55) return this.#write('PATCH', name, { verb: 'put', token }, partOf(widget))
    const replacing = { ...widget, metadata: { ...widget.metadata, ...precondition } }
    return this.#write('PUT', name, { verb: 'put', token, expected: held.token }, replacing)
  }

  async #write(method: string, name: string, action: Action, body: object): Promise<void> {
    const path = method === 'POST' ? widgetPath(NAMESPACE) : widgetPath(NAMESPACE, name)
    this.#known.delete(name)
    const answer = await this.#ask(method, path, name, action, body)
    if (answer === undefined || answer.code >= 300) return
    if (action.verb === 'delete') this.#known.set(name, 'absent')
    else if ('token' in action) this.#known.set(name, { revision: revisionOf(answer.body), token: action.token })
  }

  async #read(name: string, demands: 'newest' | 'any'): Promise<void> {
    const path = widgetPath(NAMESPACE, name) + (demands === 'any' ? '?resourceVersion=0' : '')
    const answer = await this.#ask('GET', path, name, { verb: 'read', demands })
    if (answer?.code === 200) this.#known.set(name, { revision: revisionOf(answer.body), token: tokenOf(answer.body) })
    if (answer?.code === 404) this.#known.set(name, 'absent')
  }

  async #ask(method: string, path: string, name: string, action: Action, body?: object): Promise<Asked | undefined> {
    const server = this.#server
    const sentAt = performance.now()
    const answer = await this.#asker.ask(method, server.url + path, body)
    const outcome = outcomeOf(action, answer)
    const answeredAt = answer === undefined ? undefined : performance.now()
    const key = `${NAMESPACE}/${name}`
    this.#told.operations.push({ key, client: this.#name, server: server.name, sentAt, answeredAt, action, outcome })
    if (answer !== undefined && STRANGE.test(String(answer.code)))
      this.#told.surprises.push(`${method} ${path} at ${server.name}: ${answer.code} ${answer.text}`)
    if (answer === undefined || answer.code >= 500) this.#server = this.#anyServer()
    return answer
  }

  async #list(demands: 'newest' | 'any'): Promise<void> {
    const server = this.#server
    const sentAt = performance.now()
    const query = demands === 'any' ? '?resourceVersion=0' : ''
    const answer = await this.#asker.ask('GET', `${server.url}${widgetPath(NAMESPACE)}${query}`)
    if (answer?.code !== 200) {
      this.#server = this.#anyServer()
      return
    }
    const objects = (answer.body.items as Parameters<typeof tokenOf>[0][]).map((object) => ({
      key: keyOf(object),
      revision: revisionOf(object),
      token: tokenOf(object),
    }))
    const revision = revisionOf(answer.body)
    const span = { client: this.#name, server: server.name, sentAt, answeredAt: performance.now() }
    this.#told.lists.push({ ...span, demands, revision, objects })
  }

  #anyServer(): KeptServer {
    return this.#random.pick(this.#servers as [KeptServer, ...KeptServer[]])
  }
}

/** 429, 503 and 504 are what a server in trouble may say; 409, 404 what others did. */
const STRANGE = /^(400|401|403|405|410|413|415|422|500|501|502)$/

function partOf({ metadata, spec }: ReturnType<typeof makeWidget>): object {
  return { metadata: { labels: metadata.labels }, spec }
}

function outcomeOf({ verb }: Action, answer: Asked | undefined): Outcome {
  if (answer === undefined) return { type: 'unknown' }
  const { code, body } = answer
  if (verb === 'read') {
    if (code === 200) return { type: 'shown', token: tokenOf(body), revision: revisionOf(body) }
    return code === 404 ? { type: 'shown' } : { type: 'unknown' }
  }
  if (code < 300) return verb === 'delete' ? { type: 'done' } : { type: 'done', revision: revisionOf(body) }
  if (code === 404) return { type: 'missing' }
  if (code === 409) return { type: body.reason === 'AlreadyExists' ? 'exists' : 'conflict' }
  return code === 504 || code === 500 ? { type: 'unknown' } : { type: 'refused' }
}
