// Keeps the Service `kubernetes` in the namespace `default` and its endpoints, which lead clients to this server.

import { isIPv6 } from 'node:net'
import type { networkInterfaces } from 'node:os'
import { deepEqual, type KubeObject } from '@homeostat/meta'
import { fieldsOf } from '../builtin/fields-of.ts'
import type { Api, ResourceName } from '../registry/api.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

const SERVICES: ResourceName = { group: '', resource: 'services' }
const PLACE = { namespace: 'default', name: 'kubernetes' }
/** The first address of the service range, as in Kubernetes. */
const CLUSTER_IP = '10.0.0.1'

/**
 * The address at which others reach a server that listens on `host`. It is never loopback, which on every client is the
 * client itself: then it is an address of this machine, or undefined when it has none.
 */
export function reachableHost(host: string, interfaces: ReturnType<typeof networkInterfaces>): string | undefined {
  if (!/^(127\.|::1$|0\.0\.0\.0$|::$)/.test(host)) return host
  const addresses = Object.values(interfaces).flatMap((list) => list ?? [])
  return addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address
}

/** Whether an earlier start has created the Service. */
export function isAdvertised(api: Api): boolean {
  return api.object(SERVICES, PLACE) !== undefined
}

/**
 * Creates what is missing and updates what differs; writes nothing when all is up to date. Without addresses, when only this machine
 * can reach the server, the Service has no endpoints. `port` is that of the Service.
 */
export async function advertise(api: Api, addresses: readonly Address[], port: number): Promise<void> {
  await Promise.all(
    targets(addresses, port).map(async ({ resource, object, right }) => {
      if (!api.serves(resource)) return
      const cached = api.object(resource, PLACE)
      if (cached === undefined) {
        await api.create(resource, object)
        return
      }
      // Parses the stored bytes as they are, so that a start need not load the schemas of these kinds.
      const found = cached.damage === undefined ? (JSON.parse(cached.bytes.toString()) as KubeObject) : object
      if (!deepEqual(found, { ...found, ...right(found) })) {
        await api.change(resource, PLACE, (newest) => Object.assign(newest, right(newest)))
      }
    }),
  )
}

interface Target {
  readonly resource: ResourceName
  readonly object: KubeObject
  /** The fields of an existing object that this server owns. */
  right(found: KubeObject): Partial<KubeObject>
}

function targets(addresses: readonly Address[], port: number): Target[] {
  const service = serviceTarget(port)
  return addresses.length === 0 ? [service] : [service, ...endpointTargets(addresses)]
}

function serviceTarget(port: number): Target {
  const ports = [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }]
  return {
    resource: SERVICES,
    right: ({ spec }) => ({ spec: { ...fieldsOf(spec), ports } }),
    object: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...PLACE, labels: { component: 'apiserver', provider: 'kubernetes' } },
      spec: {
        ports,
        clusterIP: CLUSTER_IP,
        clusterIPs: [CLUSTER_IP],
        type: 'ClusterIP',
        sessionAffinity: 'None',
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        internalTrafficPolicy: 'Cluster',
      },
    },
  }
}

/** A slice has one list of ports, so that it holds the servers with the port of the first. */
function endpointTargets(all: readonly Address[]): Target[] {
  const portsOf = (port: number) => [{ name: 'https', port, protocol: 'TCP' }]
  const byPort = Map.groupBy(all, ({ port }) => port)
  const subsets = [...byPort].map(([port, addresses]) => ({
    addresses: addresses.map(({ host }) => ({ ip: host })),
    ports: portsOf(port),
  }))
  const { host, port } = all[0] as Address
  const isSliced = (one: Address) => one.port === port && isIPv6(one.host) === isIPv6(host)
  const endpoints = all.filter(isSliced).map((one) => ({ addresses: [one.host], conditions: { ready: true } }))
  const slice = { endpoints, ports: portsOf(port) }
  return [
    {
      resource: { group: '', resource: 'endpoints' },
      right: () => ({ subsets }),
      object: {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: { ...PLACE, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
        subsets,
      },
    },
    {
      resource: { group: 'discovery.k8s.io', resource: 'endpointslices' },
      right: () => slice,
      object: {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { ...PLACE, labels: { 'kubernetes.io/service-name': 'kubernetes' } },
        addressType: isIPv6(host) ? 'IPv6' : 'IPv4',
        ...slice,
      },
    },
  ]
}
