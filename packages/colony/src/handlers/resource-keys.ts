// What the controller keeps in memory of each resource with a handler: its uid, when a Process of it was last seen, and
// which composite it belongs to. It is removed with the resource and rebuilt by the first reconciles after a restart.

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

  /** A key without a name is that of a kind. */
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

  /** Returns the composite that the resource was a component of. */
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

  /** A Process was seen or is created now: the interval starts again. */
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
