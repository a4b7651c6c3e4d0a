// Rules of FlowSchema and PriorityLevelConfiguration. They are stored as data for the tools that manage them.

import { isObject, type KubeObject } from '@homeostat/meta'
import { type Cause, duplicate, forbiddenField, invalidValue, notSupported, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import {
  dnsLabel,
  dnsSubdomain,
  ensure,
  fill,
  fillMissing,
  isSet,
  items,
  numberOf,
  requiredName,
  requiredText,
  texts,
} from './field-checks.ts'

export const flowSchemaRules: Partial<KindRules> = {
  applyDefaults: (schema) => fill(ensure(schema, 'spec'), 'matchingPrecedence', 1000),
  validate: schemaErrors,
}

function schemaErrors(schema: KubeObject): Cause[] {
  const spec = fieldsOf(schema.spec)
  const precedence = numberOf(spec.matchingPrecedence)
  const path = 'spec.matchingPrecedence'
  const causes: Cause[] = []
  if (precedence <= 0) causes.push(invalidValue(path, precedence, 'must be a positive value'))
  if (precedence > 10000) causes.push(invalidValue(path, precedence, 'must not be greater than 10000'))
  if (precedence === 1 && schema.metadata.name !== 'exempt') {
    causes.push(invalidValue(path, precedence, "only the schema named 'exempt' may have matchingPrecedence 1"))
  }
  const methods = ['ByNamespace', 'ByUser']
  if (isObject(spec.distinguisherMethod) && !methods.includes(textOf(spec.distinguisherMethod.type))) {
    causes.push(notSupported('spec.distinguisherMethod.type', spec.distinguisherMethod, methods))
  }
  const level = fieldsOf(spec.priorityLevelConfiguration).name
  return [
    ...causes,
    ...requiredName('spec.priorityLevelConfiguration.name', level, dnsSubdomain),
    ...items(spec.rules, 'spec.rules').flatMap((one) => ruleErrors(one.item, one.path)),
    ...conditionErrors(schema),
  ]
}

function ruleErrors(rule: Fields, path: string): Cause[] {
  const causes = items(rule.subjects, `${path}.subjects`).flatMap((one) => subjectErrors(one.item, one.path))
  if (listOf(rule.subjects).length === 0) {
    causes.push(required(`${path}.subjects`, 'subjects must contain at least one value'))
  }
  if (listOf(rule.resourceRules).length === 0 && listOf(rule.nonResourceRules).length === 0) {
    causes.push(required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty'))
  }
  return [
    ...causes,
    ...items(rule.resourceRules, `${path}.resourceRules`).flatMap((one) => resourceRuleErrors(one.item, one.path)),
    ...items(rule.nonResourceRules, `${path}.nonResourceRules`).flatMap((one) => urlRuleErrors(one.item, one.path)),
  ]
}

const SUBJECTS: Readonly<Record<string, string>> = { Group: 'group', ServiceAccount: 'serviceAccount', User: 'user' }

function subjectErrors(subject: Fields, path: string): Cause[] {
  const own = SUBJECTS[textOf(subject.kind)]
  if (own === undefined) return [notSupported(`${path}.kind`, subject.kind ?? '', Object.keys(SUBJECTS))]
  const others = Object.values(SUBJECTS).filter((key) => key !== own && isSet(subject[key]))
  const denied = others.map((key) => forbiddenField(`${path}.${key}`, `${key} is forbidden for a subject of this kind`))
  const named = subject[own]
  if (!isObject(named)) return [required(`${path}.${own}`, `${own} is required for a subject of this kind`), ...denied]
  const causes = requiredText(`${path}.${own}.name`, named.name)
  if (own === 'serviceAccount') {
    if (causes.length === 0 && named.name !== '*') causes.push(...dnsSubdomain(`${path}.${own}.name`, named.name))
    causes.push(...requiredName(`${path}.${own}.namespace`, named.namespace, dnsLabel))
  }
  return [...causes, ...denied]
}

const VERBS = ['get', 'list', 'create', 'update', 'delete', 'deletecollection', 'patch', 'watch', 'proxy']

/** At least one entry, and `*` only alone. */
function wildcardErrors(rule: Fields, path: string, key: string): Cause[] {
  const values = texts(rule[key])
  if (values.length === 0) return [required(`${path}.${key}`, `${key} must contain at least one value`)]
  if (values.length === 1 || !values.includes('*')) return []
  return [invalidValue(`${path}.${key}`, values, `if '*' is present, must not specify other ${key}`)]
}

function verbErrors(rule: Fields, path: string): Cause[] {
  const causes = wildcardErrors(rule, path, 'verbs')
  const verbs = texts(rule.verbs)
  if (causes.length > 0 || verbs.includes('*') || verbs.every((verb) => VERBS.includes(verb))) return causes
  return [notSupported(`${path}.verbs`, verbs, VERBS)]
}

function resourceRuleErrors(rule: Fields, path: string): Cause[] {
  const causes = [
    ...verbErrors(rule, path),
    ...wildcardErrors(rule, path, 'apiGroups'),
    ...wildcardErrors(rule, path, 'resources'),
  ]
  const namespaces = texts(rule.namespaces)
  if (namespaces.length === 0 && rule.clusterScope === true) return causes
  causes.push(...wildcardErrors(rule, path, 'namespaces'))
  if (namespaces.includes('*')) return causes
  return [...causes, ...namespaces.flatMap((name, index) => dnsLabel(`${path}.namespaces[${index}]`, name))]
}

function urlRuleErrors(rule: Fields, path: string): Cause[] {
  const causes = [...verbErrors(rule, path), ...wildcardErrors(rule, path, 'nonResourceURLs')]
  const urls = texts(rule.nonResourceURLs)
  if (urls.includes('*')) return causes
  return [...causes, ...urls.flatMap((url, index) => urlErrors(url, `${path}.nonResourceURLs[${index}]`))]
}

function urlErrors(url: string, path: string): Cause[] {
  const rules: [boolean, string][] = [
    [url === '', 'must not be empty'],
    [!url.startsWith('/'), 'must start with slash'],
    [url.includes(' '), 'must not contain white-space'],
    [url.includes('//'), 'must not contain double slash'],
    [url.replace(/\/\*$/, '').includes('*'), 'wildcard can only do suffix matching'],
  ]
  const broken = rules.find(([is]) => is)
  return broken ? [invalidValue(path, url, broken[1])] : []
}

function conditionErrors(object: KubeObject): Cause[] {
  const seen = new Set<string>()
  return items(fieldsOf(object.status).conditions, 'status.conditions').flatMap(({ item, path }) => {
    const type = textOf(item.type)
    const causes = seen.has(type) ? [duplicate(`${path}.type`, type)] : []
    seen.add(type)
    return [...causes, ...requiredText(`${path}.type`, type)]
  })
}

export const priorityLevelRules: Partial<KindRules> = {
  applyDefaults(level) {
    const { exempt, limited } = ensure(level, 'spec')
    if (isObject(exempt)) {
      fillMissing(exempt, 'nominalConcurrencyShares', 0)
      fillMissing(exempt, 'lendablePercent', 0)
    }
    if (!isObject(limited)) return
    fillMissing(limited, 'nominalConcurrencyShares', 30)
    fillMissing(limited, 'lendablePercent', 0)
    const { queuing } = fieldsOf(limited.limitResponse)
    if (!isObject(queuing)) return
    fill(queuing, 'handSize', 8)
    fill(queuing, 'queues', 64)
    fill(queuing, 'queueLengthLimit', 50)
  },
  validate: levelErrors,
}

function levelErrors(level: KubeObject): Cause[] {
  const { type, exempt, limited } = fieldsOf(level.spec)
  const causes: Cause[] = []
  if ((level.metadata.name === 'exempt') !== (type === 'Exempt')) {
    causes.push(invalidValue('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'"))
  }
  if (type === 'Exempt') {
    if (isSet(limited)) causes.push(forbiddenField('spec.limited', 'must be nil if the type is not Limited'))
    if (isObject(exempt)) causes.push(...shareErrors(exempt, 'spec.exempt'))
  } else if (type === 'Limited') {
    if (isSet(exempt)) causes.push(forbiddenField('spec.exempt', 'must be nil if the type is Limited'))
    if (isObject(limited)) causes.push(...limitedErrors(limited, 'spec.limited'))
    else causes.push(required('spec.limited', 'must not be empty when type is Limited'))
  } else causes.push(notSupported('spec.type', type ?? '', ['Exempt', 'Limited']))
  return [...causes, ...conditionErrors(level)]
}

function shareErrors(level: Fields, path: string): Cause[] {
  const causes: Cause[] = []
  const [shares, lendable] = [numberOf(level.nominalConcurrencyShares), numberOf(level.lendablePercent)]
  if (shares < 0)
    causes.push(invalidValue(`${path}.nominalConcurrencyShares`, shares, 'must be a non-negative integer'))
  if (lendable < 0 || lendable > 100) {
    causes.push(invalidValue(`${path}.lendablePercent`, lendable, 'must be between 0 and 100, inclusive'))
  }
  return causes
}

function limitedErrors(limited: Fields, path: string): Cause[] {
  const causes = shareErrors(limited, path)
  if (numberOf(limited.borrowingLimitPercent) < 0) {
    const detail = 'if specified, must be a non-negative integer'
    causes.push(invalidValue(`${path}.borrowingLimitPercent`, limited.borrowingLimitPercent, detail))
  }
  const { type, queuing } = fieldsOf(limited.limitResponse)
  const at = `${path}.limitResponse`
  if (type === 'Reject') {
    if (isSet(queuing))
      causes.push(forbiddenField(`${at}.queuing`, 'must be nil if limited.limitResponse.type is not Limited'))
  } else if (type !== 'Queue') causes.push(notSupported(`${at}.type`, type ?? '', ['Queue', 'Reject']))
  else if (isObject(queuing)) causes.push(...queuingErrors(queuing, `${at}.queuing`))
  else causes.push(required(`${at}.queuing`, 'must not be empty if limited.limitResponse.type is Limited'))
  return causes
}

const MAX_QUEUES = 10_000_000
const MAX_BITS = 60

function queuingErrors(queuing: Fields, path: string): Cause[] {
  const [length, queues, hand] = ['queueLengthLimit', 'queues', 'handSize'].map((key) => numberOf(queuing[key])) as [
    number,
    number,
    number,
  ]
  const causes: Cause[] = []
  if (length <= 0) causes.push(invalidValue(`${path}.queueLengthLimit`, length, 'must be positive'))
  if (queues <= 0) causes.push(invalidValue(`${path}.queues`, queues, 'must be positive'))
  else if (queues > MAX_QUEUES) {
    causes.push(invalidValue(`${path}.queues`, queues, `must not be greater than ${MAX_QUEUES}`))
  }
  const at = `${path}.handSize`
  if (hand <= 0) causes.push(invalidValue(at, hand, 'must be positive'))
  else if (hand > queues) causes.push(invalidValue(at, hand, `should not be greater than queues (${queues})`))
  else if (entropyBits(queues, hand) > MAX_BITS) {
    causes.push(invalidValue(at, hand, `required entropy bits should not be greater than ${MAX_BITS}`))
  }
  return causes
}

/** The number of bits that shuffle sharding needs to deal a hand of distinct queues. */
function entropyBits(queues: number, hand: number): number {
  let bits = 0
  for (let dealt = 0; dealt < hand && bits <= MAX_BITS; dealt++) bits += Math.log2(queues - dealt)
  return Math.ceil(bits)
}
