// Whether some rules grant all that others grant: nobody may give rights away that they do not have.

import { allowsEverything, mustBeNamed } from './explicit-rights.ts'
import type { PolicyRule } from './policy-rule.ts'
import { quotedList } from './quote.ts'

const ALL = '*'

/** The parts of `wanted` that no rule of `held` covers, as small as they can be. Rights of several rules do not add up. */
export function missingRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(smallest).filter((part) => !held.some((rule) => covers(rule, part)))
}

/** One rule for each group, resource, verb and name; one for each URL and verb. */
function smallest({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): PolicyRule[] {
  const parts: PolicyRule[] = []
  const names = resourceNames.length === 0 ? [[]] : resourceNames.map((name) => [name])
  for (const group of apiGroups) {
    for (const resource of resources) {
      for (const verb of verbs) {
        for (const name of names) {
          parts.push({
            verbs: [verb],
            apiGroups: [group],
            resources: [resource],
            resourceNames: name,
            nonResourceURLs: [],
          })
        }
      }
    }
  }
  for (const url of nonResourceURLs) {
    for (const verb of verbs) {
      parts.push({ verbs: [verb], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [url] })
    }
  }
  return parts
}

function covers(rule: PolicyRule, part: PolicyRule): boolean {
  return (
    coversAll(rule.verbs, part.verbs) &&
    coversAll(rule.apiGroups, part.apiGroups) &&
    part.resources.every((resource) =>
      mustBeNamed(resource)
        ? rule.resources.includes(resource) || allowsEverything(rule)
        : coversResource(rule.resources, resource),
    ) &&
    coversNames(rule.resourceNames, part.resourceNames) &&
    part.nonResourceURLs.every((url) => rule.nonResourceURLs.some((held) => coversUrl(held, url)))
  )
}

function coversAll(held: readonly string[], wanted: readonly string[]): boolean {
  return held.includes(ALL) || wanted.every((value) => held.includes(value))
}

function coversResource(held: readonly string[], wanted: string): boolean {
  if (held.includes(ALL) || held.includes(wanted)) return true
  const slash = wanted.indexOf('/')
  return slash !== -1 && held.includes(`${ALL}${wanted.slice(slash)}`)
}

function coversNames(held: readonly string[], wanted: readonly string[]): boolean {
  return held.length === 0 || (wanted.length > 0 && wanted.every((name) => held.includes(name)))
}

function coversUrl(held: string, wanted: string): boolean {
  return held === wanted || (held.endsWith(ALL) && wanted.startsWith(held.replace(/\*+$/, '')))
}

/** The rules as Kubernetes shows them in its messages: those that differ only in the verb are one line. */
export function describeRules(rules: readonly PolicyRule[]): string {
  const merged = new Map<string, PolicyRule>()
  for (const rule of rules) {
    const verbs = rule.nonResourceURLs.length > 0 ? rule.verbs : []
    const key = describeRule({ ...rule, verbs })
    const before = merged.get(key)
    merged.set(key, before === undefined ? rule : { ...rule, verbs: [...before.verbs, ...rule.verbs] })
  }
  return [...new Set([...merged.values()].map(describeRule))].sort().join('\n')
}

function describeRule({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const parts: [string, readonly string[]][] = [
    ['APIGroups', apiGroups],
    ['Resources', resources],
    ['NonResourceURLs', nonResourceURLs],
    ['ResourceNames', resourceNames],
    ['Verbs', verbs],
  ]
  const shown = parts.filter(([, values]) => values.length > 0)
  return `{${shown.map(([name, values]) => `${name}:${quotedList(values)}`).join(', ')}}`
}
