// What a Pod uses of a quota: itself, and what its containers request and may use. A pod that has ended uses nothing but its
// place among the objects.

import { type KubeObject, parseQuantity, type Quantity } from '@homeostat/meta'
import { type Fields, fieldsOf, listOf, textOf } from '../../builtin/fields-of.ts'
import { isSet, items, numberOf } from '../../builtin/rules/field-checks.ts'
import { qosClass } from '../../builtin/rules/pod-qos.ts'
import { type AmountKind, podTotals } from '../../builtin/rules/pod-resources.ts'
import { type ObjectUsage, ONE, plus } from './usage.ts'

/** Resources whose requests a quota also limits by their plain name. */
const PLAIN = ['cpu', 'memory', 'ephemeral-storage']
/** A container of a pod must name these when a quota limits them. */
const REQUIRED = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory']

export function podUsage(pod: KubeObject): ObjectUsage {
  const spec = fieldsOf(pod.spec)
  const amounts = new Map<string, Quantity>([['count/pods', ONE]])
  const phase = textOf(fieldsOf(pod.status).phase)
  if (phase !== 'Succeeded' && phase !== 'Failed') {
    amounts.set('pods', ONE)
    for (const [name, amount] of withOverhead(spec, 'requests')) {
      if (isPlain(name)) amounts.set(name, amount)
      amounts.set(`requests.${name}`, amount)
    }
    for (const [name, amount] of withOverhead(spec, 'limits')) {
      if (PLAIN.includes(name)) amounts.set(`limits.${name}`, amount)
    }
  }
  return { amounts, scopes: podScopes(spec), values: { PriorityClass: textOf(spec.priorityClassName) } }
}

/** The names of `limited` that some container does not give, in the words of Kubernetes; undefined when all do. */
export function unspecified(pod: KubeObject, limited: Iterable<string>): string | undefined {
  const required = [...limited].filter((name) => REQUIRED.includes(name)).sort()
  const spec = fieldsOf(pod.spec)
  const containers = [...items(spec.containers, ''), ...items(spec.initContainers, '')]
  const missing = required.flatMap((name) => {
    if (isGiven(spec, name)) return []
    const names = containers.filter(({ item }) => !isGiven(item, name)).map(({ item }) => textOf(item.name))
    return names.length === 0 ? [] : [`${name} for: ${names.sort().join(',')}`]
  })
  return missing.length === 0 ? undefined : `must specify ${missing.join('; ')}`
}

function isGiven(holder: Fields, name: string): boolean {
  const [kind, resource] = name.includes('.')
    ? (name.split('.') as [AmountKind, string])
    : (['requests', name] as const)
  return isSet(fieldsOf(fieldsOf(holder.resources)[kind])[resource])
}

function isPlain(name: string): boolean {
  return PLAIN.includes(name) || name.startsWith('hugepages-')
}

function withOverhead(spec: Fields, kind: AmountKind): Map<string, Quantity> {
  const totals = podTotals(spec, kind)
  for (const [name, value] of Object.entries(fieldsOf(spec.overhead))) {
    const amount = parseQuantity(value)
    if (amount && (kind === 'requests' || totals.has(name))) totals.set(name, plus(totals.get(name), amount))
  }
  return totals
}

function podScopes(spec: Fields): Set<string> {
  const scopes = new Set<string>()
  const deadline = spec.activeDeadlineSeconds
  scopes.add(isSet(deadline) && numberOf(deadline) >= 0 ? 'Terminating' : 'NotTerminating')
  scopes.add(qosClass(spec) === 'BestEffort' ? 'BestEffort' : 'NotBestEffort')
  if (textOf(spec.priorityClassName) !== '') scopes.add('PriorityClass')
  if (crossesNamespaces(spec)) scopes.add('CrossNamespacePodAffinity')
  return scopes
}

function crossesNamespaces(spec: Fields): boolean {
  const { podAffinity, podAntiAffinity } = fieldsOf(spec.affinity)
  return [podAffinity, podAntiAffinity].map(fieldsOf).some((affinity) => {
    const needed = listOf(affinity.requiredDuringSchedulingIgnoredDuringExecution)
    const preferred = listOf(affinity.preferredDuringSchedulingIgnoredDuringExecution)
    const terms = [...needed, ...preferred.map((one) => fieldsOf(one).podAffinityTerm)].map(fieldsOf)
    return terms.some((term) => listOf(term.namespaces).length > 0 || isSet(term.namespaceSelector))
  })
}
