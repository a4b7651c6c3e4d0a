// Validates a service.

import type { KubeObject } from '@homeostat/meta'
import { type Cause, duplicate, forbiddenField, invalidValue, notSupported, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import { addressErrors, isIPv6, rangeErrors, reachableErrors } from './addresses.ts'
import { PROTOCOLS } from './container-checks.ts'
import {
  choice,
  dnsLabel,
  dnsSubdomain,
  inRange,
  isSet,
  items,
  numberOf,
  optionalChoice,
  portNumber,
  portNumberOrName,
  qualified,
  texts,
} from './field-checks.ts'
import { labelErrors } from './label-checks.ts'
import { isExternal, needsAddress, needsHealthPort } from './service-needs.ts'

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const FAMILIES = ['IPv4', 'IPv6']

export function serviceErrors(service: KubeObject): Cause[] {
  const spec = fieldsOf(service.spec)
  // Kubernetes allocates addresses before it validates the rest, and stops when that fails.
  const addresses = addressFieldErrors(spec)
  if (addresses.length > 0) return addresses
  const causes: Cause[] = []
  if (listOf(spec.ports).length === 0 && !isHeadless(spec) && spec.type !== 'ExternalName') {
    causes.push(required('spec.ports'))
  }
  return [
    ...causes,
    ...typeErrors(spec),
    ...portErrors(spec),
    ...labelErrors('spec.selector', spec.selector),
    ...choice('spec.sessionAffinity', spec.sessionAffinity, ['ClientIP', 'None']),
    ...affinityErrors(spec),
    ...texts(spec.externalIPs).flatMap((address, index) => externalErrors(address, `spec.externalIPs[${index}]`)),
    ...choice('spec.type', spec.type, TYPES),
    ...repeatedPortErrors(spec),
    ...loadBalancerErrors(service, spec),
    ...trafficErrors(spec),
  ]
}

export function serviceUpdateErrors(service: KubeObject, old: KubeObject): Cause[] {
  const [spec, before] = [fieldsOf(service.spec), fieldsOf(old.spec)]
  const addresses = addressFieldErrors(spec)
  if (addresses.length > 0) return addresses
  const causes: Cause[] = []
  if (spec.type !== 'ExternalName' && before.type !== 'ExternalName' && !(isHeadless(spec) && isHeadless(before))) {
    const [now, then] = [texts(spec.clusterIPs), texts(before.clusterIPs)]
    if (then.length > 0 && now.length === 0) {
      causes.push(invalidValue('spec.clusterIPs[0]', now, 'primary clusterIP can not be unset'))
    }
    then.slice(0, now.length).forEach((address, index) => {
      if (now[index] === address) return
      causes.push(invalidValue(`spec.clusterIPs[${index}]`, now, 'may not change once set'))
    })
    if (!isHeadless(spec) && !isHeadless(before)) causes.push(...familyChangeErrors(spec, before))
  }
  const balanced = spec.type === 'LoadBalancer' && before.type === 'LoadBalancer'
  if (balanced && (spec.loadBalancerClass ?? null) !== (before.loadBalancerClass ?? null)) {
    causes.push(invalidValue('spec.loadBalancerClass', spec.loadBalancerClass, 'may not change once set'))
  }
  // Kubernetes checks the class for the change and for the service, so that its cause appears twice.
  causes.push(...classErrors(spec))
  if (needsHealthPort(spec) && needsHealthPort(before) && spec.healthCheckNodePort !== before.healthCheckNodePort) {
    causes.push(forbiddenField('spec.healthCheckNodePort', 'field is immutable'))
  }
  return [...causes, ...serviceErrors(service), ...balancerStatusErrors(service)]
}

function familyChangeErrors(spec: Fields, old: Fields): Cause[] {
  const [now, then] = [texts(spec.ipFamilies), texts(old.ipFamilies)]
  const changed = then.slice(0, now.length).some((family, index) => now[index] !== family)
  return changed ? [invalidValue('spec.ipFamilies[0]', now, 'may not change once set')] : []
}

function balancerStatusErrors(service: KubeObject): Cause[] {
  const { ingress } = fieldsOf(fieldsOf(service.status).loadBalancer)
  return items(ingress, 'status.loadBalancer.ingress').flatMap(({ item, path }) => [
    ...(textOf(item.ip) === '' ? [] : addressErrors(`${path}.ip`, textOf(item.ip))),
    ...(textOf(item.hostname) === '' ? [] : dnsSubdomain(`${path}.hostname`, item.hostname)),
  ])
}

/** A headless service has no address of its own: its name resolves to its pods. */
export function isHeadless(spec: Fields): boolean {
  const [first, ...more] = listOf(spec.clusterIPs)
  return first === 'None' && more.length === 0
}

function typeErrors(spec: Fields): Cause[] {
  const type = textOf(spec.type)
  if (type === 'LoadBalancer' || type === 'NodePort') {
    if (!isHeadless(spec)) return []
    return [invalidValue('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)]
  }
  if (type !== 'ExternalName') return []
  const deny = 'may not be set for ExternalName services'
  const causes: Cause[] = []
  if (listOf(spec.clusterIPs).length > 0) causes.push(forbiddenField('spec.clusterIPs', deny))
  if (listOf(spec.ipFamilies).length > 0) causes.push(forbiddenField('spec.ipFamilies', deny))
  if (isSet(spec.ipFamilyPolicy)) causes.push(forbiddenField('spec.ipFamilyPolicy', deny))
  const name = textOf(spec.externalName).replace(/\.$/, '')
  return [...causes, ...(name === '' ? [required('spec.externalName')] : dnsSubdomain('spec.externalName', name))]
}

function portErrors(spec: Fields): Cause[] {
  const names = new Set<string>()
  const several = listOf(spec.ports).length > 1
  return items(spec.ports, 'spec.ports').flatMap(({ item, path }) => {
    const name = textOf(item.name)
    const causes = name === '' ? [] : dnsLabel(`${path}.name`, name)
    if (name === '' && several) causes.push(required(`${path}.name`))
    if (name !== '' && names.has(name)) causes.push(duplicate(`${path}.name`, name))
    names.add(name)
    return [
      ...causes,
      ...portNumber(`${path}.port`, item.port),
      ...choice(`${path}.protocol`, item.protocol, PROTOCOLS),
      ...portNumberOrName(`${path}.targetPort`, item.targetPort),
      ...(isSet(item.appProtocol) ? qualified(`${path}.appProtocol`, item.appProtocol) : []),
    ]
  })
}

function repeatedPortErrors(spec: Fields): Cause[] {
  const [nodePorts, ports] = [new Set<string>(), new Set<string>()]
  const all = items(spec.ports, 'spec.ports')
  const given = all.filter(({ item }) => numberOf(item.nodePort) !== 0)
  const denied = spec.type === 'ClusterIP' ? given : []
  return [
    ...denied.map(({ path }) => forbiddenField(`${path}.nodePort`, "may not be used when `type` is 'ClusterIP'")),
    ...given.flatMap(({ item, path }) => {
      const key = `${textOf(item.protocol)}/${numberOf(item.nodePort)}`
      if (nodePorts.has(key)) return [duplicate(`${path}.nodePort`, item.nodePort)]
      nodePorts.add(key)
      return []
    }),
    ...all.flatMap(({ item, path }) => {
      const key = `${textOf(item.protocol)}/${numberOf(item.port)}`
      if (ports.has(key)) return [duplicate(path, { protocol: item.protocol, port: item.port })]
      ports.add(key)
      return []
    }),
  ]
}

function affinityErrors(spec: Fields): Cause[] {
  const path = 'spec.sessionAffinityConfig'
  if (spec.sessionAffinity !== 'ClientIP') return []
  const { clientIP } = fieldsOf(spec.sessionAffinityConfig)
  const seconds = fieldsOf(clientIP).timeoutSeconds
  return inRange(`${path}.clientIP.timeoutSeconds`, seconds, 1, 86400)
}

function addressFieldErrors(spec: Fields): Cause[] {
  if (spec.type === 'ExternalName') return []
  const path = 'spec.clusterIPs'
  const [address, addresses] = [textOf(spec.clusterIP), texts(spec.clusterIPs)]
  const causes: Cause[] = []
  if (address === '' && addresses.length > 0) {
    causes.push(invalidValue(path, addresses, 'must be empty when `clusterIP` is not specified'))
  } else if (address !== '' && addresses.length === 0) causes.push(required(path))
  else if (address !== (addresses[0] ?? '')) {
    causes.push(invalidValue(path, addresses, 'first value must match `clusterIP`'))
  }
  const families = texts(spec.ipFamilies)
  families.forEach((family, index) => {
    if (!FAMILIES.includes(family)) causes.push(notSupported(`spec.ipFamilies[${index}]`, family, FAMILIES))
    if (families.indexOf(family) < index) causes.push(duplicate(`spec.ipFamilies[${index}]`, family))
  })
  const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack']
  causes.push(...optionalChoice('spec.ipFamilyPolicy', spec.ipFamilyPolicy, policies))
  const bad = addresses.flatMap((one, index) => {
    if (index > 0 || one !== 'None') return addressErrors(`${path}[${index}]`, one)
    return addresses.length > 1 ? [invalidValue(path, addresses, "'None' must be the first and only value")] : []
  })
  causes.push(...bad)
  if (addresses.length > 2) causes.push(invalidValue(path, addresses, 'may only hold up to 2 values'))
  if (causes.length > 0) return causes
  return [...agreeErrors(spec, addresses, families), ...singleStackErrors(spec, families)]
}

function agreeErrors(spec: Fields, addresses: readonly string[], families: readonly string[]): Cause[] {
  const path = 'spec.clusterIPs'
  const causes: Cause[] = []
  if (addresses.length > 1 && addresses.every(isIPv6) !== addresses.some(isIPv6)) return causes
  if (addresses.length > 1) {
    causes.push(invalidValue(path, addresses, 'may specify no more than one IP for each IP family'))
  }
  if (isHeadless(spec)) return causes
  addresses.slice(0, families.length).forEach((address, index) => {
    const expected = families[index]
    if ((expected === 'IPv6') === isIPv6(address)) return
    const detail = `expected an ${expected} value as indicated by \`ipFamilies[${index}]\``
    causes.push(invalidValue(`${path}[${index}]`, address, detail))
  })
  return causes
}

/** The server allocates IPv4 addresses only. */
function singleStackErrors(spec: Fields, families: readonly string[]): Cause[] {
  if (isHeadless(spec) && Object.keys(fieldsOf(spec.selector)).length === 0) return []
  const causes: Cause[] = []
  if (spec.ipFamilyPolicy === 'RequireDualStack') {
    const detail = 'this cluster is not configured for dual-stack services'
    causes.push(invalidValue('spec.ipFamilyPolicy', spec.ipFamilyPolicy, detail))
  }
  families.forEach((family, index) => {
    if (family === 'IPv6')
      causes.push(invalidValue(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster'))
  })
  return causes
}

function externalErrors(address: string, path: string): Cause[] {
  const causes = addressErrors(path, address)
  return causes.length > 0 ? causes : reachableErrors(path, address)
}

const RANGES_ANNOTATION = 'service.beta.kubernetes.io/load-balancer-source-ranges'

function loadBalancerErrors({ metadata }: KubeObject, spec: Fields): Cause[] {
  const balanced = spec.type === 'LoadBalancer'
  const only = "may only be used when `type` is 'LoadBalancer'"
  const causes: Cause[] = []
  const annotation = metadata.annotations?.[RANGES_ANNOTATION]
  if (listOf(spec.loadBalancerSourceRanges).length > 0) {
    const path = 'spec.LoadBalancerSourceRanges'
    if (!balanced) causes.push(forbiddenField(path, only))
    texts(spec.loadBalancerSourceRanges).forEach((range, index) => {
      causes.push(...rangeErrors(`${path}[${index}]`, range.trim()))
    })
  } else if (annotation !== undefined) {
    const path = `metadata.annotations[${RANGES_ANNOTATION}]`
    if (!balanced) causes.push(forbiddenField(path, only))
    const ranges = annotation.trim() === '' ? [] : annotation.split(',')
    causes.push(...ranges.flatMap((range) => rangeErrors(path, range.trim())))
  }
  if (isSet(spec.allocateLoadBalancerNodePorts) && !balanced) {
    causes.push(forbiddenField('spec.allocateLoadBalancerNodePorts', only))
  }
  return [...causes, ...classErrors(spec)]
}

function classErrors(spec: Fields): Cause[] {
  const path = 'spec.loadBalancerClass'
  if (!isSet(spec.loadBalancerClass)) return []
  if (spec.type === 'LoadBalancer') return qualified(path, spec.loadBalancerClass)
  return [forbiddenField(path, "may only be used when `type` is 'LoadBalancer'")]
}

function trafficErrors(spec: Fields): Cause[] {
  const causes: Cause[] = []
  const path = 'spec.externalTrafficPolicy'
  if (isExternal(spec)) causes.push(...choice(path, spec.externalTrafficPolicy, ['Cluster', 'Local']))
  else if (textOf(spec.externalTrafficPolicy) !== '') {
    causes.push(invalidValue(path, spec.externalTrafficPolicy, 'may only be set for externally-accessible services'))
  }
  const healthPort = numberOf(spec.healthCheckNodePort)
  if (!needsHealthPort(spec) && healthPort !== 0) {
    const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
    causes.push(invalidValue('spec.healthCheckNodePort', healthPort, detail))
  }
  if (!isSet(spec.internalTrafficPolicy) && needsAddress(spec)) causes.push(required('spec.internalTrafficPolicy'))
  return [
    ...causes,
    ...optionalChoice('spec.internalTrafficPolicy', spec.internalTrafficPolicy, ['Cluster', 'Local']),
    ...optionalChoice('spec.trafficDistribution', spec.trafficDistribution, DISTRIBUTIONS),
  ]
}

const DISTRIBUTIONS = ['PreferClose', 'PreferSameZone', 'PreferSameNode']
