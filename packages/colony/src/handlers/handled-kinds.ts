// The kinds that have a handler, and the changes of their objects. It follows CustomResourceDefinitions, subscribes to the
// kinds that they serve and notifies a listener, which decides what to do.

import type { Api, ResourceName } from '@homeostat/apiserver'
import type { Log } from '@homeostat/base'
import { HANDLER_ANNOTATION } from '@homeostat/executor/protocol'
import { type Condition, deepEqual, findCondition, type KubeObject } from '@homeostat/meta'
import { type HandledKind, kindId, readHandledKind } from './handled-kind.ts'

const DEFINITIONS: ResourceName = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' }

export interface KindListener {
  /** The kind has a new or changed handler. Its objects follow. */
  kind(kind: HandledKind): void
  /** An object was created, changed or deleted. */
  object(kind: HandledKind, name: { readonly namespace: string | undefined; readonly name: string }): void
  /** The kind is served without a handler. */
  unhandled(id: string): void
}

interface Followed {
  readonly kind: HandledKind
  stop(): void
}

export class HandledKinds {
  readonly #api: Api
  readonly #log: Log
  readonly #listener: KindListener
  readonly #followed = new Map<string, Followed>()
  readonly #problems = new Map<string, string>()
  #stop = (): void => {}

  constructor(api: Api, log: Log, listener: KindListener) {
    this.#api = api
    this.#log = log
    this.#listener = listener
  }

  open(): void {
    this.#stop = this.#api.subscribe(DEFINITIONS, ({ name }) => {
      try {
        this.#changed(name)
      } catch (error) {
        this.#log.error({ err: error, definition: name }, 'a definition cannot be read')
      }
    })
  }

  close(): void {
    this.#stop()
    for (const { stop } of this.#followed.values()) stop()
    this.#followed.clear()
  }

  get(id: string): HandledKind | undefined {
    return this.#followed.get(id)?.kind
  }

  /** The kinds of that name, whatever its case, in the group if one is given. */
  named(kind: string, group?: string): HandledKind[] {
    const wanted = kind.toLowerCase()
    return [...this.#followed.values()].flatMap(({ kind: known }) =>
      known.kind.toLowerCase() === wanted && (group === undefined || known.resource.group === group) ? [known] : [],
    )
  }

  #changed(name: string): void {
    const dot = name.indexOf('.')
    const resource = { group: name.slice(dot + 1), resource: name.slice(0, dot) }
    const id = kindId(resource.group, resource.resource)
    const stored = this.#api.serves(resource) ? this.#api.object(DEFINITIONS, { name }) : undefined
    // Most definitions name no handler and need not be parsed at each start.
    const definition = stored?.bytes.includes(HANDLER_ANNOTATION) ? this.#api.get(DEFINITIONS, { name }) : undefined
    const served = stored !== undefined && (definition === undefined || isEstablished(definition))
    const read = served && definition !== undefined ? readHandledKind(definition) : undefined
    if (typeof read === 'object') {
      this.#problems.delete(name)
      this.#follow(read)
      return
    }
    this.#unfollow(id)
    if (typeof read === 'string') this.#complain(name, read)
    else this.#problems.delete(name)
    if (served && read === undefined) this.#listener.unhandled(id)
  }

  #follow(kind: HandledKind): void {
    const known = this.#followed.get(kind.id)
    if (known !== undefined && deepEqual(known.kind, kind)) return
    known?.stop()
    const followed = { kind, stop: () => {} }
    this.#followed.set(kind.id, followed)
    this.#listener.kind(kind)
    followed.stop = this.#api.subscribe(kind.resource, ({ namespace, name }) => {
      this.#listener.object(kind, { namespace, name })
    })
  }

  #unfollow(id: string): void {
    this.#followed.get(id)?.stop()
    this.#followed.delete(id)
  }

  /** Logs each problem of a definition once. */
  #complain(definition: string, problem: string): void {
    if (this.#problems.get(definition) === problem) return
    this.#problems.set(definition, problem)
    this.#log.warn({ definition, problem }, 'the handler of a definition is ignored')
  }
}

function isEstablished({ status }: KubeObject): boolean {
  const { conditions } = (status ?? {}) as { conditions?: readonly Condition[] | null }
  return findCondition(conditions ?? [], 'Established')?.status === 'True'
}
