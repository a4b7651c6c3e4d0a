// Rules of NetworkPolicy: which traffic to and from the selected pods is allowed.

import { isObject, type KubeObject } from '@homeostat/meta'
import { type Cause, forbiddenField, invalidValue, notSupported, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import { contains, rangeErrors } from './addresses.ts'
import {
  ensure,
  fillMissing,
  isSet,
  items,
  numberOf,
  optionalChoice,
  portName,
  portNumber,
  structs,
  texts,
} from './field-checks.ts'
import { selectorErrors } from './label-checks.ts'

export const networkPolicyRules: Partial<KindRules> = {
  applyDefaults(policy) {
    const spec = ensure(policy, 'spec')
    for (const rule of [...structs(spec, 'ingress'), ...structs(spec, 'egress')]) {
      for (const port of structs(rule, 'ports')) fillMissing(port, 'protocol', 'TCP')
    }
    if (listOf(spec.policyTypes).length > 0) return
    spec.policyTypes = listOf(spec.egress).length > 0 ? ['Ingress', 'Egress'] : ['Ingress']
  },
  validate: errors,
  // Kubernetes validates an update as a policy and as a change, so that a cause appears twice.
  validateUpdate: (policy) => [...errors(policy), ...errors(policy)],
}

function errors(policy: KubeObject): Cause[] {
  const spec = fieldsOf(policy.spec)
  return [
    ...selectorErrors('spec.podSelector', spec.podSelector),
    ...ruleErrors(spec.ingress, 'spec.ingress', 'from'),
    ...ruleErrors(spec.egress, 'spec.egress', 'to'),
    ...typeErrors(texts(spec.policyTypes)),
  ]
}

function typeErrors(types: readonly string[]): Cause[] {
  const path = 'spec.policyTypes'
  if (types.length > 2) return [invalidValue(path, types, 'may not specify more than two policyTypes')]
  return types.flatMap((type, index) =>
    ['Ingress', 'Egress'].includes(type) ? [] : [notSupported(`${path}[${index}]`, type, ['Ingress', 'Egress'])],
  )
}

function ruleErrors(rules: unknown, path: string, peers: string): Cause[] {
  return items(rules, path).flatMap(({ item, path: at }) => [
    ...items(item.ports, `${at}.ports`).flatMap((one) => portErrors(one.item, one.path)),
    ...items(item[peers], `${at}.${peers}`).flatMap((one) => peerErrors(one.item, one.path)),
  ])
}

function portErrors(port: Fields, path: string): Cause[] {
  const causes = optionalChoice(`${path}.protocol`, port.protocol, ['TCP', 'UDP', 'SCTP'])
  const end = port.endPort
  if (typeof port.port === 'string' || !isSet(port.port)) {
    const what = isSet(port.port) ? 'non-numeric' : 'not specified'
    if (isSet(end)) causes.push(invalidValue(`${path}.endPort`, end, `may not be specified when \`port\` is ${what}`))
    return isSet(port.port) ? [...causes, ...portName(`${path}.port`, port.port)] : causes
  }
  causes.push(...portNumber(`${path}.port`, port.port))
  if (!isSet(end)) return causes
  if (numberOf(end) < numberOf(port.port)) {
    causes.push(invalidValue(`${path}.endPort`, port.port, 'must be greater than or equal to `port`'))
  }
  return [...causes, ...portNumber(`${path}.endPort`, end)]
}

function peerErrors(peer: Fields, path: string): Cause[] {
  const { podSelector, namespaceSelector, ipBlock } = peer
  const causes = [
    ...selectorErrors(`${path}.podSelector`, podSelector),
    ...selectorErrors(`${path}.namespaceSelector`, namespaceSelector),
    ...(isObject(ipBlock) ? blockErrors(ipBlock, `${path}.ipBlock`) : []),
  ]
  const count = [podSelector, namespaceSelector, ipBlock].filter(isSet).length
  if (count === 0) causes.push(required(path, 'must specify a peer'))
  if (count > 1 && isSet(ipBlock)) causes.push(forbiddenField(path, 'may not specify both ipBlock and another peer'))
  return causes
}

function blockErrors(block: Fields, path: string): Cause[] {
  const range = textOf(block.cidr)
  if (range === '') return [required(`${path}.cidr`)]
  const causes = rangeErrors(`${path}.cidr`, range)
  if (causes.length > 0) return causes
  return texts(block.except).flatMap((except, index) => {
    const at = `${path}.except[${index}]`
    const bad = rangeErrors(at, except)
    if (bad.length > 0) return bad
    const [address = '', bits] = except.split('/')
    if (contains(range, address) && Number(range.split('/')[1]) < Number(bits)) return []
    return [invalidValue(at, except, 'must be a strict subset of `cidr`')]
  })
}
