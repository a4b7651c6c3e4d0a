// Rules that webhooks and admission policies share: which requests they match.

import { dns1035Label, isObject, pathSegmentName } from '@homeostat/meta'
import { type Cause, duplicate, invalidValue, notSupported, required, tooMany } from '@homeostat/meta/server'
import { type Fields, listOf, textOf } from '../fields-of.ts'
import {
  fillMissing,
  items,
  messages,
  optionalChoice,
  qualified,
  requiredName,
  structs,
  texts,
} from './field-checks.ts'
import { selectorErrors } from './label-checks.ts'

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']
export const FAILURE_POLICIES = ['Fail', 'Ignore']
export const MATCH_POLICIES = ['Equivalent', 'Exact']
const MAX_CONDITIONS = 64

export function defaultMatching(holder: Fields): void {
  fillMissing(holder, 'matchPolicy', 'Equivalent')
  fillMissing(holder, 'namespaceSelector', {})
  fillMissing(holder, 'objectSelector', {})
}

export function defaultRules(holder: Fields, ...keys: string[]): void {
  for (const key of keys) for (const rule of structs(holder, key)) fillMissing(rule, 'scope', '*')
}

export function ruleErrors(rules: unknown, path: string): Cause[] {
  return items(rules, path).flatMap(({ item, path: at }) => [
    ...wildcardErrors(item.operations, `${at}.operations`, 'operations'),
    ...texts(item.operations).flatMap((operation, index) =>
      OPERATIONS.includes(operation) ? [] : [notSupported(`${at}.operations[${index}]`, operation, OPERATIONS)],
    ),
    ...wildcardErrors(item.apiGroups, `${at}.apiGroups`, 'API groups'),
    ...wildcardErrors(item.apiVersions, `${at}.apiVersions`, 'API versions'),
    ...texts(item.apiVersions).flatMap((version, index) =>
      version === '' ? [required(`${at}.apiVersions[${index}]`)] : [],
    ),
    ...resourceErrors(texts(item.resources), `${at}.resources`),
    ...optionalChoice(`${at}.scope`, item.scope, ['*', 'Cluster', 'Namespaced']),
  ])
}

function wildcardErrors(list: unknown, path: string, what: string): Cause[] {
  const values = texts(list)
  if (values.length === 0) return [required(path)]
  if (values.length === 1 || !values.includes('*')) return []
  return [invalidValue(path, values, `if '*' is present, must not specify other ${what}`)]
}

/** Entries are `pods`, `pods/status`, `*`, or `*` with a subresource; none may overlap another. */
function resourceErrors(resources: readonly string[], path: string): Cause[] {
  const causes = resources.length === 0 ? [required(path)] : []
  const [whole, subs] = [new Set<string>(), new Set<string>()]
  let plain = false
  resources.forEach((name, index) => {
    const at = `${path}[${index}]`
    const slash = name.indexOf('/')
    if (name === '') causes.push(required(at))
    else if (slash < 0) plain = name !== '*'
    else {
      const [resource, sub] = [name.slice(0, slash), name.slice(slash + 1)]
      if (whole.has(resource)) {
        causes.push(invalidValue(at, name, `if '${resource}/*' is present, must not specify ${name}`))
      }
      if (subs.has(sub)) causes.push(invalidValue(at, name, `if '*/${sub}' is present, must not specify ${name}`))
      if (sub === '*') whole.add(resource)
      if (resource === '*') subs.add(sub)
    }
  })
  if (resources.length > 1 && resources.includes('*/*')) {
    causes.push(invalidValue(path, resources, "if '*/*' is present, must not specify other resources"))
  }
  if (plain && resources.includes('*')) {
    const detail = "if '*' is present, must not specify other resources without subresources"
    causes.push(invalidValue(path, resources, detail))
  }
  return causes
}

/** Does not compile the expressions. */
export function matchConditionErrors(conditions: unknown, path: string): Cause[] {
  const { length } = listOf(conditions)
  const causes = length > MAX_CONDITIONS ? [tooMany(path, length, MAX_CONDITIONS)] : []
  const names = new Set<string>()
  for (const { item, path: at } of items(conditions, path)) {
    const name = textOf(item.name)
    if (textOf(item.expression).trim() === '') causes.push(required(`${at}.expression`))
    causes.push(...requiredName(`${at}.name`, name, qualified))
    if (name !== '' && names.has(name)) causes.push(duplicate(`${at}.name`, name))
    names.add(name)
  }
  return causes
}

export function matchResourceErrors(match: unknown, path: string): Cause[] {
  if (!isObject(match)) return []
  return [
    ...optionalChoice(`${path}.matchPolicy`, match.matchPolicy, MATCH_POLICIES),
    ...selectorErrors(`${path}.namespaceSelector`, match.namespaceSelector),
    ...selectorErrors(`${path}.objectSelector`, match.objectSelector),
    ...['resourceRules', 'excludeResourceRules'].flatMap((key) => [
      ...items(match[key], `${path}.${key}`).flatMap((one) => resourceNameErrors(one.item, one.path)),
      ...ruleErrors(match[key], `${path}.${key}`),
    ]),
  ]
}

function resourceNameErrors(rule: Fields, path: string): Cause[] {
  const names = texts(rule.resourceNames)
  return names.flatMap((name, index) => {
    const at = `${path}.resourceNames[${index}]`
    return [...messages(at, name, pathSegmentName(name)), ...(names.indexOf(name) < index ? [duplicate(at, name)] : [])]
  })
}

export function paramKindErrors(kind: unknown, path: string): Cause[] {
  if (!isObject(kind)) return []
  const [version, name] = [textOf(kind.apiVersion), textOf(kind.kind)]
  const causes: Cause[] = []
  if (version === '') causes.push(required(`${path}.apiVersion`))
  else causes.push(...versionErrors(version, `${path}.apiVersion`))
  if (name === '') causes.push(required(`${path}.kind`))
  else if (dns1035Label(name.toLowerCase()).length > 0) {
    causes.push(invalidValue(`${path}.kind`, name, 'may have mixed case, but should otherwise be a DNS label'))
  }
  return causes
}

function versionErrors(version: string, path: string): Cause[] {
  const parts = version.split('/')
  if (parts.length > 2) return [invalidValue(path, version, `unexpected GroupVersion string: ${version}`)]
  const [group, name] = parts.length === 2 ? parts : ['', parts[0]]
  const causes = group ? messages(path, group, firstOnly(qualifiedGroup(group))) : []
  if (!name) return [...causes, invalidValue(path, version, 'version must be specified')]
  return [...causes, ...messages(path, name, firstOnly(dns1035Label(name)))]
}

function qualifiedGroup(group: string): string[] {
  return /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(group)
    ? []
    : ['must be a DNS subdomain']
}

function firstOnly(found: readonly string[]): string[] {
  return found.length > 0 ? [found.join(',')] : []
}
