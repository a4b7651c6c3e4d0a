// Decides what a service needs allocated: an address, node ports, a health check port. The rules of services and the
// allocation use it; the allocation is loaded at start and must not import all rules.

import { type Fields, listOf, textOf } from '../fields-of.ts'

const EXPOSED_TYPES = ['NodePort', 'LoadBalancer']

export function needsAddress(spec: Fields): boolean {
  return spec.type === 'ClusterIP' || needsNodePort(spec)
}

export function needsNodePort(spec: Fields): boolean {
  return EXPOSED_TYPES.includes(textOf(spec.type))
}

export function needsHealthPort(spec: Fields): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local'
}

/** Whether the service is reachable from outside the cluster. */
export function isExternal(spec: Fields): boolean {
  return EXPOSED_TYPES.includes(textOf(spec.type)) || (spec.type === 'ClusterIP' && listOf(spec.externalIPs).length > 0)
}
