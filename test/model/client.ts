// A client of the model test: carries out operations over HTTP one after the other, and notes for each what it was
// answered and between which revisions that was.

import type { KubeObject } from '@homeostat/meta'
import { type Answer, call, revisionOf } from '../http-call.ts'
import { widget, widgetPath } from '../widgets.ts'
import { FINALIZER, type Operation, type State } from './model.ts'

export interface Step {
  readonly name: string
  readonly operation: Operation
}

/** One operation and its answer. The server decided at some revision from `low` to `high`. */
export interface Note extends Step {
  readonly low: number
  readonly high: number
  /** The resourceVersion that was sent, 0 for none. */
  readonly sent: number
  readonly code: number
  readonly reason: string | undefined
  /** What was answered; undefined when the object is gone, or for a refusal. */
  readonly object: KubeObject | undefined
  /** The object that a deletion answered with a Status says it deleted. */
  readonly deletedUid: string | undefined
}

const WRONG = 1

export class Client {
  readonly notes: Note[] = []
  readonly #base: string
  readonly #namespace: string
  readonly #revision: () => Promise<number>
  readonly #seen = new Map<string, KubeObject>()

  constructor(base: string, namespace: string, revision: () => Promise<number>) {
    this.#base = base
    this.#namespace = namespace
    this.#revision = revision
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) await this.#carryOut(step)
  }

  async #carryOut({ name, operation }: Step): Promise<void> {
    // What it has not seen it looks at first; after that it goes by memory, and so it is often out of date.
    if (operation.type !== 'create' && !this.#seen.has(name)) await this.#look(name)
    const seen = this.#seen.get(name)
    const version = 'version' in operation ? operation.version : 'none'
    const sent = version === 'none' ? 0 : version === 'wrong' || seen === undefined ? WRONG : revisionOf(seen)
    const low = await this.#revision()
    const answer = await this.#send(name, operation, seen, sent)
    const high = await this.#revision()
    const object = answer.code < 300 && answer.body.spec !== undefined ? answer.body : undefined
    const uid = (answer.body.details as { uid?: string } | undefined)?.uid
    const reason = answer.code < 300 ? undefined : answer.body.reason
    this.notes.push({ name, operation, low, high, sent, code: answer.code, reason, object, deletedUid: uid })
    if (object) this.#seen.set(name, object)
    else this.#seen.delete(name)
  }

  async #look(name: string): Promise<void> {
    const answer = await call(this.#base + widgetPath(this.#namespace, name))
    if (answer.code === 200) this.#seen.set(name, answer.body)
  }

  #send(name: string, operation: Operation, seen: KubeObject | undefined, sent: number): Promise<Answer> {
    const collection = this.#base + widgetPath(this.#namespace)
    const path = `${collection}/${name}`
    const metadata = sent === 0 ? {} : { metadata: { resourceVersion: String(sent) } }
    switch (operation.type) {
      case 'create': {
        const finalizers = operation.held ? { finalizers: [FINALIZER] } : {}
        const body = widget(name, {
          metadata: { name, ...finalizers },
          spec: { size: operation.size },
          status: { phase: 'x' },
        })
        return call(collection, 'POST', body)
      }
      case 'replace':
        return call(path, 'PUT', copy(name, seen, sent, { spec: { size: operation.size } }))
      case 'status':
        return call(
          `${path}/status`,
          'PUT',
          copy(name, seen, sent, { spec: { size: operation.size }, status: { phase: operation.phase } }),
        )
      case 'merge':
        return call(path, 'PATCH', { ...metadata, spec: { size: operation.size } })
      case 'add': {
        const patch = [
          { op: 'test', path: '/spec/size', value: operation.from },
          { op: 'replace', path: '/spec/size', value: operation.size },
        ]
        return call(path, 'PATCH', patch, 'application/json-patch+json')
      }
      case 'label':
        return call(path, 'PATCH', {
          metadata: { labels: operation.label === null ? null : { color: operation.label } },
        })
      case 'finalizers':
        return call(path, 'PATCH', { metadata: { finalizers: operation.held ? [FINALIZER] : null } })
      case 'delete':
        return call(path, 'DELETE', sent === 0 ? {} : { preconditions: { resourceVersion: String(sent) } })
    }
  }
}

/** The object as last seen, changed, and under the version that is to be sent. */
function copy(name: string, seen: KubeObject | undefined, sent: number, changes: object): KubeObject {
  const base = { ...(seen ?? widget(name)), ...changes }
  const { resourceVersion: _, ...rest } = base.metadata
  if (sent > 0) return { ...base, metadata: { ...rest, resourceVersion: String(sent) } }
  // Who names no version names no object either: with the uid of one that was made anew it would be a conflict.
  const { uid: __, ...anonymous } = rest
  return { ...base, metadata: anonymous }
}

/** The part of an object that the model knows. */
export function stateOf(object: KubeObject): State {
  const { uid = '', generation = 0, labels, finalizers = [], deletionTimestamp } = object.metadata
  return {
    uid,
    generation,
    size: (object.spec as { size: number }).size,
    phase: (object.status as { phase?: string } | undefined)?.phase,
    label: labels?.color,
    finalizers,
    deleting: deletionTimestamp !== undefined,
  }
}
