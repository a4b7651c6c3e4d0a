// What operators really asked for, as lines of a file: `dev` and tests append to it, `synth` compares it with the rules.
// Pure. Namespaces and names are left out, since a test has others than production.

import { writeJson } from '@homeostat/meta'
import type { AccessRule, PolicyRule } from '../runtime/access-rule.ts'
import type { RequestInfo } from './request-info.ts'
import { matches } from './roles.ts'

export interface RecordedAccess {
  /** The kinds of the operator that asked, as `group/Kind`. */
  readonly kinds: readonly string[]
  readonly verb: string
  readonly group: string
  /** With its subresource, e.g. `sites/status`. */
  readonly resource: string
}

export function recordedAccess(kinds: readonly string[], request: RequestInfo): RecordedAccess {
  const { verb, group, resource, subresource } = request
  const path = subresource === undefined ? resource : `${resource}/${subresource}`
  return { kinds: [...kinds].sort(), verb, group, resource: path }
}

export function recordedLine(kinds: readonly string[], request: RequestInfo): string {
  return writeJson(recordedAccess(kinds, request))
}

/** Skips what is no such line: the file is not precious. */
export function readRecorded(text: string): RecordedAccess[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line)
      return isRecorded(value) ? [value] : []
    } catch {
      return []
    }
  })
}

function isRecorded(value: unknown): value is RecordedAccess {
  if (typeof value !== 'object' || value === null) return false
  const { kinds, verb, group, resource } = value as Partial<RecordedAccess>
  return Array.isArray(kinds) && [verb, group, resource].every((one) => typeof one === 'string')
}

/**
 * The rules that the recorded requests of these kinds need beyond the given ones, one per resource. Definitions do not
 * count: an operator that may not install them does without.
 */
export function missingRules(
  recorded: readonly RecordedAccess[],
  kinds: readonly string[],
  rules: readonly AccessRule[],
): PolicyRule[] {
  const missing = new Map<string, { group: string; resource: string; verbs: Set<string> }>()
  for (const { kinds: asking, verb, group, resource } of recorded) {
    if (!asking.every((kind) => kinds.includes(kind)) || group === 'apiextensions.k8s.io') continue
    // Split as the rules are matched; a name may be any.
    const [name = '', subresource] = resource.split('/')
    if (rules.some((rule) => matches(anyName(rule), { verb, group, resource: name, subresource }))) continue
    const key = `${group}/${resource}`
    const found = missing.get(key) ?? { group, resource, verbs: new Set() }
    missing.set(key, found)
    found.verbs.add(verb)
  }
  return [...missing.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { group, resource, verbs }]) => {
      // Who applies children prunes them, too, even if no test did.
      if (verbs.has('create') && verbs.has('patch')) verbs.add('delete')
      return { apiGroups: [group], resources: [resource], verbs: VERBS.filter((verb) => verbs.has(verb)) }
    })
}

/** As an author writes it. */
export function ruleText({ apiGroups, resources, verbs }: PolicyRule): string {
  const list = (names: readonly string[]) => `[${names.map((name) => `'${name}'`).join(', ')}]`
  return `{ apiGroups: ${list(apiGroups)}, resources: ${list(resources)}, verbs: ${list(verbs)} },`
}

function anyName({ resourceNames: _, ...rule }: AccessRule): AccessRule {
  return rule
}

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection']
