// The table of services: addresses and ports.

import type { KubeObject } from '@homeostat/meta'
import { fieldsOf, listOf, textOf } from '../fields-of.ts'
import { age, type Cells, labels, NONE, name, numberAt, text, textAt, UNKNOWN, valueAt } from './cells.ts'

export const SERVICE_CELLS: Cells = [
  name,
  text('spec.type'),
  (service) => textOf(listOf(valueAt(service, 'spec.clusterIPs'))[0]) || NONE,
  externalAddress,
  ports,
  age,
  labels('spec.selector'),
]

function externalAddress(service: KubeObject): string {
  const given = listOf(valueAt(service, 'spec.externalIPs')).map(textOf)
  switch (textAt(service, 'spec.type')) {
    case 'ClusterIP':
    case 'NodePort':
      return given.join(',') || NONE
    case 'LoadBalancer':
      return [...loadBalancerAddresses(service), ...given].join(',') || '<pending>'
    case 'ExternalName':
      return textAt(service, 'spec.externalName')
    default:
      return UNKNOWN
  }
}

/** The addresses, or else the hostnames, of a load balancer; sorted, without duplicates. */
export function loadBalancerAddresses(object: KubeObject): string[] {
  const all = listOf(valueAt(object, 'status.loadBalancer.ingress')).map(fieldsOf)
  return [...new Set(all.map(({ ip, hostname }) => textOf(ip) || textOf(hostname)).filter(Boolean))].sort()
}

function ports(service: KubeObject): string {
  const all = listOf(valueAt(service, 'spec.ports')).map((port) => {
    const node = numberAt(port, 'nodePort')
    return `${numberAt(port, 'port')}${node > 0 ? `:${node}` : ''}/${textAt(port, 'protocol')}`
  })
  return all.join(',') || NONE
}
