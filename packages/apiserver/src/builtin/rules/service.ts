// Rules of Service: one name and address for many pods. service-allocation.ts allocates addresses and ports.

import { deepEqual, isObject, type KubeObject } from '@homeostat/meta'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import type { KindRules } from '../schema-strategy.ts'
import { ensure, fill, fillMissing, isSet, numberOf, structs } from './field-checks.ts'
import { serviceErrors, serviceUpdateErrors } from './service-checks.ts'
import { isExternal, needsAddress, needsHealthPort, needsNodePort } from './service-needs.ts'

export const serviceRules: Partial<KindRules> = {
  prepareForCreate(service) {
    const spec = ensure(service, 'spec')
    if (textOf(spec.clusterIP) !== '' && listOf(spec.clusterIPs).length === 0) spec.clusterIPs = [spec.clusterIP]
  },
  prepareForUpdate(service, old) {
    defaultService(service)
    const [spec, before] = [ensure(service, 'spec'), fieldsOf(old.spec)]
    alignAddresses(spec, before)
    keepAllocated(spec, before)
    dropUnneeded(service, before)
  },
  applyDefaults(service) {
    defaultService(service)
    defaultFamilies(ensure(service, 'spec'))
  },
  validate: serviceErrors,
  validateUpdate: serviceUpdateErrors,
}

function defaultService(service: KubeObject): void {
  const spec = ensure(service, 'spec')
  fill(spec, 'sessionAffinity', 'None')
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig
  if (spec.sessionAffinity === 'ClientIP') {
    const { clientIP } = fieldsOf(spec.sessionAffinityConfig)
    if (!isSet(fieldsOf(clientIP).timeoutSeconds)) spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: 10800 } }
  }
  fill(spec, 'type', 'ClusterIP')
  for (const port of structs(spec, 'ports')) {
    fill(port, 'protocol', 'TCP')
    fill(port, 'targetPort', numberOf(port.port))
  }
  if (isExternal(spec)) fill(spec, 'externalTrafficPolicy', 'Cluster')
  if (needsAddress(spec)) fillMissing(spec, 'internalTrafficPolicy', 'Cluster')
  if (spec.type !== 'LoadBalancer') return
  fillMissing(spec, 'allocateLoadBalancerNodePorts', true)
  for (const ingress of structs(fieldsOf(fieldsOf(service.status).loadBalancer), 'ingress')) {
    if (textOf(ingress.ip) !== '') fillMissing(ingress, 'ipMode', 'VIP')
  }
}

/** The server allocates one address family; a headless service without a selector can have both. */
function defaultFamilies(spec: Fields): void {
  if (spec.type === 'ExternalName') return
  const endpointsOnly = spec.clusterIP === 'None' && Object.keys(fieldsOf(spec.selector)).length === 0
  fillMissing(spec, 'ipFamilyPolicy', endpointsOnly ? 'RequireDualStack' : 'SingleStack')
  if (listOf(spec.ipFamilies).length === 0) spec.ipFamilies = ['IPv4']
  if (!endpointsOnly || spec.ipFamilyPolicy === 'SingleStack' || listOf(spec.ipFamilies).length > 1) return
  const [first] = listOf(spec.ipFamilies)
  spec.ipFamilies = [first, first === 'IPv4' ? 'IPv6' : 'IPv4']
}

/** `clusterIP` is the first of `clusterIPs`: a change of one alone changes both. */
function alignAddresses(spec: Fields, old: Fields): void {
  const same = () => deepEqual(listOf(spec.clusterIPs), listOf(old.clusterIPs))
  const [now, before] = [textOf(spec.clusterIP), textOf(old.clusterIP)]
  if (listOf(spec.clusterIPs).length === 0 && now === before && isSet(old.clusterIPs)) spec.clusterIPs = old.clusterIPs
  if (now === before || !same()) return
  if (before !== '' && now === '') delete spec.clusterIPs
  else spec.clusterIPs = [now]
}

/** An update that omits allocated values keeps them. */
function keepAllocated(spec: Fields, old: Fields): void {
  if (needsAddress(spec) && needsAddress(old)) {
    if (textOf(spec.clusterIP) === '' && isSet(old.clusterIP)) spec.clusterIP = old.clusterIP
    if (listOf(spec.clusterIPs).length === 0 && isSet(old.clusterIPs)) spec.clusterIPs = old.clusterIPs
    if (!isSet(spec.ipFamilyPolicy) && isSet(old.ipFamilyPolicy)) spec.ipFamilyPolicy = old.ipFamilyPolicy
  }
  if (needsNodePort(spec) && needsNodePort(old)) keepNodePorts(spec, old)
  if (needsHealthPort(spec) && needsHealthPort(old)) fill(spec, 'healthCheckNodePort', old.healthCheckNodePort)
}

function keepNodePorts(spec: Fields, old: Fields): void {
  const before = new Map(structs(old, 'ports').map((port) => [textOf(port.name), numberOf(port.nodePort)]))
  const now = new Set(structs(spec, 'ports').map((port) => numberOf(port.nodePort)))
  for (const port of structs(spec, 'ports')) {
    const kept = before.get(textOf(port.name)) ?? 0
    if (numberOf(port.nodePort) === 0 && kept !== 0 && !now.has(kept)) port.nodePort = kept
  }
}

/** Drops allocated values that a new type does not use. Values that the same update changes are left to validation. */
function dropUnneeded(service: KubeObject, old: Fields): void {
  const spec = ensure(service, 'spec')
  const dropSame = (...keys: string[]) => {
    for (const key of keys) if (deepEqual(spec[key] ?? null, old[key] ?? null)) delete spec[key]
  }
  if (needsAddress(old) && spec.type === 'ExternalName')
    dropSame('clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy')
  const ports = (fields: Fields) => structs(fields, 'ports').map((port) => numberOf(port.nodePort))
  if (needsNodePort(old) && !needsNodePort(spec) && deepEqual(ports(old), ports(spec))) {
    for (const port of structs(spec, 'ports')) delete port.nodePort
  }
  if (needsHealthPort(old) && !needsHealthPort(spec)) dropSame('healthCheckNodePort')
  if (old.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    dropSame('allocateLoadBalancerNodePorts', 'loadBalancerClass')
  }
  if (isExternal(old) && !isExternal(spec)) dropSame('externalTrafficPolicy')
  if (spec.type !== 'LoadBalancer' && isObject(service.status)) service.status = { ...service.status, loadBalancer: {} }
}
