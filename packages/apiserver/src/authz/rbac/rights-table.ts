// What one subject may do in one scope: the rules of all its roles there, compiled so that a check is a few lookups,
// however many rules there are. Each right holds the reason that a review returns.

import type { Attributes, PathAttributes, ResourceAttributes } from '../authorize.ts'
import type { RoleName } from './binding.ts'
import { mustBeNamed } from './explicit-rights.ts'
import type { PolicyRule } from './policy-rule.ts'

const ALL = '*'

/** The reason of a right to a resource: for every name, or for the names that the rules list. */
interface Right {
  every: string | undefined
  names: Map<string, string> | undefined
}

type Rights = Map<string, Map<string, Map<string, Right>>>
type PathRights = Map<string, Map<string, string>>

export class RightsTable {
  /** The roles that the subject's bindings name and that do not exist. */
  readonly missing: RoleName[] = []
  /** By API group, then resource or resource/subresource, then verb. */
  readonly #resources: Rights = new Map()
  readonly #paths: PathRights = new Map()
  /** By the part of the URL before the `*`. */
  readonly #prefixes: PathRights = new Map()

  add(rule: PolicyRule, reason: string): void {
    for (const group of rule.apiGroups) {
      const resources = entry(this.#resources, group, newMap<Map<string, Right>>)
      for (const resource of rule.resources) this.#allow(entry(resources, resource, newMap<Right>), rule, reason)
    }
    for (const url of rule.nonResourceURLs) {
      const paths = url.endsWith(ALL) ? this.#prefixes : this.#paths
      const verbs = entry(paths, url.replace(/\*+$/, ''), newMap<string>)
      for (const verb of rule.verbs) verbs.set(verb, reason)
    }
  }

  /** The reason why the request is allowed; undefined when it is not. */
  find(attributes: Attributes): string | undefined {
    return 'path' in attributes ? this.#findPath(attributes) : this.#findResource(attributes)
  }

  #allow(verbs: Map<string, Right>, { verbs: names, resourceNames }: PolicyRule, reason: string): void {
    for (const verb of names) {
      const right = entry(verbs, verb, newRight)
      if (resourceNames.length === 0) right.every ??= reason
      else {
        right.names ??= new Map()
        for (const name of resourceNames) right.names.set(name, reason)
      }
    }
  }

  #findResource({ verb, group, resource, subresource, name }: ResourceAttributes): string | undefined {
    const whole = subresource === '' ? resource : `${resource}/${subresource}`
    if (subresource !== '' && mustBeNamed(whole)) return this.#findNamed(group, whole, verb, name)
    for (const apiGroup of [group, ALL]) {
      const resources = this.#resources.get(apiGroup)
      if (resources === undefined) continue
      const found =
        reasonOf(resources.get(whole), verb, name) ??
        reasonOf(resources.get(ALL), verb, name) ??
        (subresource === '' ? undefined : reasonOf(resources.get(`${ALL}/${subresource}`), verb, name))
      if (found !== undefined) return found
    }
    return undefined
  }

  #findNamed(group: string, resource: string, verb: string, name: string): string | undefined {
    return (
      reasonOf(this.#resources.get(group)?.get(resource), verb, name) ??
      reasonOf(this.#resources.get(ALL)?.get(resource), verb, name) ??
      // A rule for everything.
      this.#resources.get(ALL)?.get(ALL)?.get(ALL)?.every
    )
  }

  #findPath({ verb, path }: PathAttributes): string | undefined {
    const exact = this.#paths.get(path)
    const found = exact?.get(verb) ?? exact?.get(ALL)
    if (found !== undefined) return found
    for (const [prefix, verbs] of this.#prefixes) {
      const reason = path.startsWith(prefix) ? (verbs.get(verb) ?? verbs.get(ALL)) : undefined
      if (reason !== undefined) return reason
    }
    return undefined
  }
}

function reasonOf(verbs: Map<string, Right> | undefined, verb: string, name: string): string | undefined {
  if (verbs === undefined) return undefined
  return reasonFor(verbs.get(verb), name) ?? reasonFor(verbs.get(ALL), name)
}

function reasonFor(right: Right | undefined, name: string): string | undefined {
  return right && (right.every ?? right.names?.get(name))
}

function entry<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}

function newMap<V>(): Map<string, V> {
  return new Map()
}

function newRight(): Right {
  return { every: undefined, names: undefined }
}
