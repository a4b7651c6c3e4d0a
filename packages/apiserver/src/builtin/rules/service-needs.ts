// What a service needs to be given: an address, ports on the nodes, a port for health checks. Read by its rules and by
// the allocation, which is there from the start and must not bring all rules with it.

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

/** Reachable from outside the cluster. */
export function isExternal(spec: Fields): boolean {
  return EXPOSED_TYPES.includes(textOf(spec.type)) || (spec.type === 'ClusterIP' && listOf(spec.externalIPs).length > 0)
}
