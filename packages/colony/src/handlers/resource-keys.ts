// What is remembered of each resource with a handler: its uid, when a run of it was last seen, and which composite it is
// a component of. It goes with the resource; after a restart it is filled by looking at all of them.

import type { ObjectName } from '@homeostat/apiserver'
import type { KubeObject } from '@homeostat/meta'
import type { HandledKind } from './handled-kind.ts'

interface Known {
  uid: string
  since: number
  composite: boolean
  parent: string | undefined
}

export class ResourceKeys {
  readonly #known = new Map<string, Known>()
  readonly #byUid = new Map<string, string>()
  readonly #composites = new Set<string>()

  of(
    { id }: HandledKind,
    { namespace = '', name }: { readonly namespace?: string | undefined; readonly name: string },
  ) {
    return `${id}|${namespace}|${name}`
  }

  /** Without a name it is the key of a kind. */
  parts(key: string): { readonly id: string; readonly name: ObjectName | undefined } {
    const [id = '', namespace = '', name] = key.split('|')
    if (name === undefined) return { id, name }
    return { id, name: namespace === '' ? { name } : { namespace, name } }
  }

  seen(key: string, { metadata: { uid = '' } }: KubeObject, now: number, composite: boolean): void {
    const known = this.#known.get(key)
    if (known?.uid === uid && known.composite === composite) return
    if (known) this.forget(key)
    this.#known.set(key, { uid, since: now, composite, parent: undefined })
    this.#byUid.set(uid, key)
    if (composite) this.#composites.add(key)
  }

  /** Answers the composite that it was a component of. */
  forget(key: string): string | undefined {
    const known = this.#known.get(key)
    this.#known.delete(key)
    this.#composites.delete(key)
    if (known && this.#byUid.get(known.uid) === key) this.#byUid.delete(known.uid)
    return known?.parent
  }

  withUid(uid: string): string | undefined {
    return this.#byUid.get(uid)
  }

  /** A run was seen, or is made now: the next tick counts from here. */
  processSeen(key: string, now: number): void {
    const known = this.#known.get(key)
    if (known) known.since = now
  }

  since(key: string): number | undefined {
    return this.#known.get(key)?.since
  }

  childOf(key: string, parent: string): void {
    const known = this.#known.get(key)
    if (known) known.parent = parent
  }

  isComposite(key: string): boolean {
    return this.#composites.has(key)
  }

  composites(): readonly string[] {
    return [...this.#composites]
  }
}
