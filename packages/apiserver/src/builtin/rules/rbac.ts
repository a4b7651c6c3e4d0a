// Rules of Role, ClusterRole and their bindings.

import { dns1123Subdomain, isObject, type KubeObject, pathSegmentName } from '@homeostat/meta'
import { type Cause, invalidValue, notSupported, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import { ensure, fill, items, messages, structs } from './field-checks.ts'
import { selectorErrors } from './label-checks.ts'

const RBAC = 'rbac.authorization.k8s.io'

export const roleRules: Partial<KindRules> = {
  validate: (role) => ruleErrors(role, true),
}

export const clusterRoleRules: Partial<KindRules> = {
  validate: (role) => [...ruleErrors(role, false), ...aggregationErrors(role.aggregationRule)],
}

export const roleBindingRules = bindingRules(['Role', 'ClusterRole'], true)
export const clusterRoleBindingRules = bindingRules(['ClusterRole'], false)

function ruleErrors(role: KubeObject, namespaced: boolean): Cause[] {
  return items(role.rules, 'rules').flatMap(({ item, path }) => {
    const causes: Cause[] = []
    const has = (key: string) => listOf(item[key]).length > 0
    if (!has('verbs')) causes.push(required(`${path}.verbs`, 'verbs must contain at least one value'))
    if (has('nonResourceURLs')) {
      const deny = (detail: string) =>
        causes.push(invalidValue(`${path}.nonResourceURLs`, item.nonResourceURLs, detail))
      if (namespaced) deny('namespaced rules cannot apply to non-resource URLs')
      if (has('apiGroups') || has('resources') || has('resourceNames')) {
        deny('rules cannot apply to both regular resources and non-resource URLs')
      }
      return causes
    }
    if (!has('apiGroups')) {
      causes.push(required(`${path}.apiGroups`, 'resource rules must supply at least one api group'))
    }
    if (!has('resources')) {
      causes.push(required(`${path}.resources`, 'resource rules must supply at least one resource'))
    }
    return causes
  })
}

function aggregationErrors(rule: unknown): Cause[] {
  if (!isObject(rule)) return []
  const path = 'aggregationRule.clusterRoleSelectors'
  if (listOf(rule.clusterRoleSelectors).length === 0) {
    return [required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil')]
  }
  return items(rule.clusterRoleSelectors, path).flatMap(({ item, path: at }) => {
    const causes = selectorErrors(at, item)
    return causes.length === 0 ? [] : [...causes, invalidValue(at, item, 'invalid label selector.')]
  })
}

function bindingRules(kinds: readonly string[], namespaced: boolean): Partial<KindRules> {
  const errors = (binding: KubeObject): Cause[] => [
    ...roleRefErrors(fieldsOf(binding.roleRef), kinds),
    ...items(binding.subjects, 'subjects').flatMap(({ item, path }) => subjectErrors(item, path, namespaced)),
  ]
  return {
    applyDefaults(binding) {
      fill(ensure(binding, 'roleRef'), 'apiGroup', RBAC)
      for (const subject of structs(binding, 'subjects')) {
        if (subject.kind === 'User' || subject.kind === 'Group') fill(subject, 'apiGroup', RBAC)
      }
    },
    validate: errors,
    validateUpdate: (binding, old) => [...errors(binding), ...roleRefChanges(binding, old)],
  }
}

function roleRefErrors(reference: Fields, kinds: readonly string[]): Cause[] {
  const name = textOf(reference.name)
  const causes: Cause[] = []
  if (reference.apiGroup !== RBAC) causes.push(notSupported('roleRef.apiGroup', reference.apiGroup, [RBAC]))
  if (!kinds.includes(textOf(reference.kind))) causes.push(notSupported('roleRef.kind', reference.kind ?? '', kinds))
  if (name === '') return [...causes, required('roleRef.name')]
  return [...causes, ...messages('roleRef.name', name, pathSegmentName(name))]
}

/** roleRef is immutable: a binding to another role is another binding. */
function roleRefChanges(binding: KubeObject, old: KubeObject): Cause[] {
  const [now, before] = [fieldsOf(binding.roleRef), fieldsOf(old.roleRef)]
  const same = ['apiGroup', 'kind', 'name'].every((key) => textOf(now[key]) === textOf(before[key]))
  return same ? [] : [invalidValue('roleRef', now, 'cannot change roleRef')]
}

function subjectErrors(subject: Fields, path: string, namespaced: boolean): Cause[] {
  const [name, group] = [textOf(subject.name), textOf(subject.apiGroup)]
  const causes = name === '' ? [required(`${path}.name`)] : []
  switch (subject.kind) {
    case 'ServiceAccount':
      if (name !== '') causes.push(...messages(`${path}.name`, name, dns1123Subdomain(name)))
      if (group !== '') causes.push(notSupported(`${path}.apiGroup`, group, ['']))
      if (!namespaced && textOf(subject.namespace) === '') causes.push(required(`${path}.namespace`))
      return causes
    case 'User':
    case 'Group':
      return group === RBAC ? causes : [...causes, notSupported(`${path}.apiGroup`, group, [RBAC])]
    default:
      return [...causes, notSupported(`${path}.kind`, subject.kind ?? '', ['ServiceAccount', 'User', 'Group'])]
  }
}
