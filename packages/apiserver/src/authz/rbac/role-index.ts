// Roles and bindings by whom they concern, kept up to date by their changes. Nothing is read before the first question,
// since a server that only its administrator uses never asks one.

import type { KubeObject } from '@homeostat/meta'
import { type Binding, type RoleName, readBinding } from './binding.ts'
import { type PolicyRule, rulesOfRole } from './policy-rule.ts'
import { RightsTable } from './rights-table.ts'

/**
 * Calls back for each object of the resource that exists and then for each change, with `namespace/name` or `name`, and
 * with undefined for an object that is gone or cannot be read.
 */
export type RoleSource = (resource: string, set: (name: string, object: KubeObject | undefined) => void) => void

const EVERYWHERE = ''
const NO_ROLES: readonly RoleName[] = []

export class RoleIndex {
  readonly #source: RoleSource
  #opened = false
  readonly #rules = new Map<string, readonly PolicyRule[]>()
  readonly #bindings = new Map<string, Binding>()
  readonly #ofRole = new Map<string, Set<Binding>>()
  /** By subject, then scope. */
  readonly #ofSubject = new Map<string, Map<string, Set<Binding>>>()
  /** Compiled on first use, dropped when a binding of the subject or a role of it changes. By subject, then scope. */
  readonly #tables = new Map<string, Map<string, RightsTable>>()

  constructor(source: RoleSource) {
    this.#source = source
  }

  /** The reason why one of the subjects has a right, there or everywhere. */
  find(
    subjects: readonly string[],
    scope: string,
    ask: (table: RightsTable) => string | undefined,
  ): string | undefined {
    this.#open()
    for (const place of scopesOf(scope)) {
      for (const subject of subjects) {
        const table = this.#table(subject, place)
        const reason = table && ask(table)
        if (reason !== undefined) return reason
      }
    }
    return undefined
  }

  /** All rules of the subjects, there and everywhere. */
  rulesOf(subjects: readonly string[], scope: string): PolicyRule[] {
    return this.#bindingsOf(subjects, scope).flatMap(({ role }) => this.rulesOfRole(role) ?? [])
  }

  /** The roles that bindings of the subjects name and that do not exist. */
  missingRoles(subjects: readonly string[], scope: string): RoleName[] {
    this.#open()
    return scopesOf(scope).flatMap((place) =>
      subjects.flatMap((subject) => this.#table(subject, place)?.missing ?? NO_ROLES),
    )
  }

  /** Undefined when there is no such role. */
  rulesOfRole(role: RoleName): readonly PolicyRule[] | undefined {
    this.#open()
    return this.#rules.get(roleKey(role))
  }

  #bindingsOf(subjects: readonly string[], scope: string): Binding[] {
    this.#open()
    const found = new Set<Binding>()
    for (const place of scopesOf(scope)) {
      for (const subject of subjects) {
        for (const binding of this.#ofSubject.get(subject)?.get(place) ?? []) found.add(binding)
      }
    }
    return [...found]
  }

  #table(subject: string, scope: string): RightsTable | undefined {
    const known = this.#tables.get(subject)?.get(scope)
    if (known !== undefined) return known
    const bindings = this.#ofSubject.get(subject)?.get(scope)
    if (bindings === undefined) return undefined
    const table = new RightsTable()
    for (const { role, subjects } of bindings) {
      const { reason = '' } = subjects.find(({ key }) => key === subject) ?? {}
      const rules = this.#rules.get(roleKey(role))
      if (rules === undefined) table.missing.push(role)
      else for (const rule of rules) table.add(rule, reason)
    }
    inner(this.#tables, subject).set(scope, table)
    return table
  }

  #open(): void {
    if (this.#opened) return
    this.#opened = true
    this.#source('roles', (name, object) => this.#setRole(`Role ${name}`, object))
    this.#source('clusterroles', (name, object) => this.#setRole(`ClusterRole ${name}`, object))
    this.#source('rolebindings', (name, object) => this.#setBinding(name, name.slice(0, name.indexOf('/')), object))
    this.#source('clusterrolebindings', (name, object) => this.#setBinding(name, EVERYWHERE, object))
  }

  #setRole(key: string, role: KubeObject | undefined): void {
    if (role === undefined) this.#rules.delete(key)
    else this.#rules.set(key, rulesOfRole(role))
    for (const binding of this.#ofRole.get(key) ?? []) this.#forgetTables(binding)
  }

  #setBinding(name: string, scope: string, object: KubeObject | undefined): void {
    const before = this.#bindings.get(name)
    if (before !== undefined) this.#remove(name, before)
    const binding = object && readBinding(object, scope)
    if (binding !== undefined) this.#add(name, binding)
  }

  #add(name: string, binding: Binding): void {
    this.#bindings.set(name, binding)
    const key = roleKey(binding.role)
    const others = this.#ofRole.get(key)
    if (others === undefined) this.#ofRole.set(key, new Set([binding]))
    else others.add(binding)
    for (const { key: subject } of binding.subjects) {
      const scopes = inner(this.#ofSubject, subject)
      const bindings = scopes.get(binding.scope)
      if (bindings === undefined) scopes.set(binding.scope, new Set([binding]))
      else bindings.add(binding)
    }
    this.#forgetTables(binding)
  }

  #remove(name: string, binding: Binding): void {
    this.#bindings.delete(name)
    const key = roleKey(binding.role)
    const others = this.#ofRole.get(key)
    others?.delete(binding)
    if (others?.size === 0) this.#ofRole.delete(key)
    for (const { key: subject } of binding.subjects) {
      const scopes = this.#ofSubject.get(subject)
      const bindings = scopes?.get(binding.scope)
      bindings?.delete(binding)
      if (bindings?.size === 0) scopes?.delete(binding.scope)
      if (scopes?.size === 0) this.#ofSubject.delete(subject)
    }
    this.#forgetTables(binding)
  }

  #forgetTables({ scope, subjects }: Binding): void {
    for (const { key } of subjects) {
      const tables = this.#tables.get(key)
      tables?.delete(scope)
      if (tables?.size === 0) this.#tables.delete(key)
    }
  }
}

function scopesOf(scope: string): string[] {
  return scope === EVERYWHERE ? [EVERYWHERE] : [EVERYWHERE, scope]
}

/** As the keys of roles in the cache: a name has no slash. */
function roleKey({ kind, namespace, name }: RoleName): string {
  return kind === 'Role' ? `Role ${namespace}/${name}` : `ClusterRole ${name}`
}

function inner<V>(map: Map<string, Map<string, V>>, key: string): Map<string, V> {
  let value = map.get(key)
  if (value === undefined) {
    value = new Map()
    map.set(key, value)
  }
  return value
}
