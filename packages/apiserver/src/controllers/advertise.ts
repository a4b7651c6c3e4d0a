// The Service `kubernetes` in the namespace `default`, and what says where it leads: to this server.

import { isIPv6 } from 'node:net'
import { deepEqual, type KubeObject } from '@homeostat/meta'
import { fieldsOf } from '../builtin/fields-of.ts'
import type { Api, ResourceName } from '../registry/api.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

const PLACE = { namespace: 'default', name: 'kubernetes' }
/** The first address of the range that services usually get theirs from. */
const CLUSTER_IP = '10.0.0.1'

/** Creates what is missing and puts right what is different; writes nothing when all is as it should be. */
export async function advertise(api: Api, address: Address): Promise<void> {
  await Promise.all(
    targets(address).map(async ({ resource, object, right }) => {
      if (!api.serves(resource)) return
      const cached = api.object(resource, PLACE)
      if (cached === undefined) {
        await api.create(resource, object)
        return
      }
      // Read as it is stored: that is all a start needs to know, and spares it the schemas of these kinds.
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
  /** The fields that have to be as here, of one that is there. */
  right(found: KubeObject): Partial<KubeObject>
}

function targets({ host, port }: Address): Target[] {
  const ports = [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }]
  const subsets = [{ addresses: [{ ip: host }], ports: [{ name: 'https', port, protocol: 'TCP' }] }]
  const slice = {
    endpoints: [{ addresses: [host], conditions: { ready: true } }],
    ports: [{ name: 'https', protocol: 'TCP', port }],
  }
  const named = (labels: Record<string, string>) => ({ ...PLACE, labels })
  return [
    {
      resource: { group: '', resource: 'services' },
      right: ({ spec }) => ({ spec: { ...fieldsOf(spec), ports } }),
      object: {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: named({ component: 'apiserver', provider: 'kubernetes' }),
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
    },
    {
      resource: { group: '', resource: 'endpoints' },
      right: () => ({ subsets }),
      object: {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: named({ 'endpointslice.kubernetes.io/skip-mirror': 'true' }),
        subsets,
      },
    },
    {
      resource: { group: 'discovery.k8s.io', resource: 'endpointslices' },
      right: () => slice,
      object: {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: named({ 'kubernetes.io/service-name': 'kubernetes' }),
        addressType: isIPv6(host) ? 'IPv6' : 'IPv4',
        ...slice,
      },
    },
  ]
}
