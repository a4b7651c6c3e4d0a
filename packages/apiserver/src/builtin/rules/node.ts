// Rules of Node: a machine that runs pods. It reports its own status; assigned fields such as podCIDRs are immutable.

import { isObject, type KubeObject } from '@homeostat/meta'
import { type Cause, duplicate, forbiddenField, invalidValue } from '@homeostat/meta/server'
import { fieldsOf, textOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import { rangeErrors } from './addresses.ts'
import { ensure, fill, isSet, items, texts } from './field-checks.ts'
import { roundAmounts } from './pod-spec-defaults.ts'
import { amountErrors } from './resource-checks.ts'
import { taintErrors } from './scheduling-checks.ts'

export const nodeRules: Partial<KindRules> = {
  // A node may be created with a status.
  statusApart: false,
  prepareForUpdate(node, old) {
    if (old.status === undefined) delete node.status
    else node.status = old.status
  },
  applyDefaults(node) {
    const spec = ensure(node, 'spec')
    const [first] = texts(spec.podCIDRs)
    if (textOf(spec.podCIDR) === '') fill(spec, 'podCIDR', first)
    else if (spec.podCIDR !== first) spec.podCIDRs = [spec.podCIDR]
    if (!isSet(spec.podCIDR)) delete spec.podCIDR
    const { status } = node
    if (!isObject(status)) return
    roundAmounts(status.capacity)
    roundAmounts(status.allocatable)
    if (!isSet(status.allocatable) && isObject(status.capacity)) status.allocatable = { ...status.capacity }
  },
  validate: nodeErrors,
  // Kubernetes validates an update as a node and as a change, so that a cause appears twice.
  validateUpdate: (node, old) => [
    ...nodeErrors(node),
    ...commonErrors(node),
    ...statusErrors(node),
    ...keptErrors(node, old),
  ],
}

function nodeErrors(node: KubeObject): Cause[] {
  return [...commonErrors(node), ...podRangeErrors(texts(fieldsOf(node.spec).podCIDRs))]
}

function commonErrors(node: KubeObject): Cause[] {
  const status = fieldsOf(node.status)
  return [
    ...taintErrors(fieldsOf(node.spec).taints, 'metadata.taints'),
    ...['capacity', 'allocatable'].flatMap((key) =>
      Object.entries(fieldsOf(status[key])).flatMap(([name, value]) =>
        amountErrors(`status.${key}.${name}`, name, value),
      ),
    ),
  ]
}

function podRangeErrors(ranges: readonly string[]): Cause[] {
  const path = 'spec.podCIDRs'
  const causes = ranges.flatMap((range, index) => rangeErrors(`${path}[${index}]`, range))
  const families = new Set(ranges.map((range) => range.includes(':')))
  if (causes.length > 0 || ranges.length < 2 || (ranges.length === 2 && families.size === 2)) return causes
  return [invalidValue(path, ranges, 'may specify no more than one CIDR for each IP family')]
}

function statusErrors(node: KubeObject): Cause[] {
  const seen = new Set<string>()
  return items(fieldsOf(node.status).addresses, 'status.addresses').flatMap(({ item, path }) => {
    const key = `${textOf(item.type)}/${textOf(item.address)}`
    if (seen.has(key)) return [duplicate(path, item)]
    seen.add(key)
    return []
  })
}

function keptErrors(node: KubeObject, old: KubeObject): Cause[] {
  const [spec, before] = [fieldsOf(node.spec), fieldsOf(old.spec)]
  const [now, then] = [texts(spec.podCIDRs), texts(before.podCIDRs)]
  const causes: Cause[] = []
  if (then.length > 0 && (now.length !== then.length || then.some((range, index) => now[index] !== range))) {
    causes.push(forbiddenField('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'))
  }
  if (textOf(before.providerID) !== '' && spec.providerID !== before.providerID) {
    causes.push(forbiddenField('spec.providerID', 'node updates may not change providerID except from "" to valid'))
  }
  return causes
}
