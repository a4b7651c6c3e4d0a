// A client that creates, replaces, patches and deletes Widgets one after the other, and writes down what it was
// answered. Some Widgets are its own and some are everybody's. When an answer is lost it reads before it goes on.

import type { KubeObject } from '@homeostat/meta'
import { type Answer, call, type Method, revisionOf } from '../http-call.ts'
import { widgetPath } from '../widgets.ts'
import type { Write } from './checker.ts'
import type { Ledger } from './ledger.ts'
import type { Random } from './random.ts'
import { makeWidget } from './token.ts'

export const NAMESPACE = 'default'
const OWN = 6
const SHARED = 2

interface Attempt {
  readonly method: Method
  readonly name: string
  readonly body: KubeObject | object
  readonly write: Pick<Write, 'key' | 'token' | 'deletes'>
}

export class Writer {
  readonly #name: string
  readonly #random: Random
  readonly #ledger: Ledger
  /** The revision each Widget had when last heard of, 0 for absent; not in here: to be read. */
  readonly #known = new Map<string, number>()
  #count = 0

  constructor(name: string, random: Random, ledger: Ledger) {
    this.#name = name
    this.#random = random
    this.#ledger = ledger
  }

  /** Writes until the connection breaks or the signal aborts. */
  async run(base: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const index = this.#random.between(0, OWN + SHARED)
      const name = index < OWN ? `${this.#name}-${index}` : `shared-${index}`
      if (!(await this.step(base, name))) return
    }
  }

  /** One read or write of the Widget; false when the connection broke. */
  async step(base: string, name: string): Promise<boolean> {
    const known = this.#known.get(name)
    return known === undefined ? this.#look(base, name) : this.#send(base, this.#attempt(name, known))
  }

  async #look(base: string, name: string): Promise<boolean> {
    const answer = await call(base + widgetPath(NAMESPACE, name)).catch(() => undefined)
    if (answer === undefined) return false
    if (answer.code === 200) {
      this.#ledger.addRead(answer.body)
      this.#known.set(name, revisionOf(answer.body))
    } else if (answer.code === 404) this.#known.set(name, 0)
    else this.#ledger.surprises.push(`GET ${name}: ${answer.code} ${answer.text}`)
    return true
  }

  #attempt(name: string, known: number): Attempt {
    const key = `${NAMESPACE}/${name}`
    const dice = this.#random.between(0, 10)
    if (known > 0 && dice < 2) {
      const body = { preconditions: { resourceVersion: String(known) } }
      return { method: 'DELETE', name, body, write: { key, token: undefined, deletes: known } }
    }
    const token = `${this.#name}-${++this.#count}`
    const object = makeWidget(name, token)
    const write = { key, token }
    if (known === 0) return { method: 'POST', name, body: object, write }
    if (dice < 5) return { method: 'PATCH', name, body: { metadata: object.metadata, spec: object.spec }, write }
    return {
      method: 'PUT',
      name,
      body: { ...object, metadata: { ...object.metadata, resourceVersion: String(known) } },
      write,
    }
  }

  async #send(base: string, { method, name, body, write }: Attempt): Promise<boolean> {
    const { seen } = this.#ledger
    this.#known.delete(name)
    const path = method === 'POST' ? widgetPath(NAMESPACE) : widgetPath(NAMESPACE, name)
    const answer = await call(base + path, method, body).catch(() => undefined)
    const outcome = outcomeOf(answer)
    const revision = outcome === 'acknowledged' && method !== 'DELETE' ? revisionOf((answer as Answer).body) : undefined
    this.#ledger.addWrite({ ...write, seen, outcome, ...(revision !== undefined && { revision }) })
    if (answer === undefined) return false
    if (outcome === 'acknowledged') this.#known.set(name, revision ?? 0)
    if (answer.code >= 500) this.#ledger.surprises.push(`${method} ${name}: ${answer.code} ${answer.text}`)
    return true
  }
}

function outcomeOf(answer: Answer | undefined): Write['outcome'] {
  if (answer === undefined || answer.code === 504) return 'unknown'
  return answer.code < 300 ? 'acknowledged' : 'refused'
}
