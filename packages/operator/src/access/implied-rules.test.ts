import { expect, it } from 'vitest'
import { controller } from '../controller.ts'
import { type Declared, impliedRules } from './implied-rules.ts'

const declared: Declared = {
  controlled: [controller('v1', 'ConfigMap', async () => {})],
  caches: {},
  namespaces: undefined,
  selectsNamespaces: false,
  events: false,
  installs: false,
  configuration: 'shop',
}

/** Each rule as `verbs: resources.group in namespaces`. */
const shown = (change: Partial<Declared>) =>
  impliedRules({ ...declared, ...change }).map(({ verbs, resources, apiGroups, resourceNames, namespaces }) => {
    const names = resourceNames ? ` named ${resourceNames}` : ''
    return `${verbs.join()}: ${resources.join()}.${apiGroups.join()}${names}${namespaces ? ` in ${namespaces}` : ''}`
  })

const own = 'get,list,watch: configmaps.'

it.each<[string, Partial<Declared>, readonly string[]]>([
  ['a kind that is only read', {}, [own]],
  [
    'watched and cached kinds, also without a namespace and in another one',
    {
      controlled: [
        controller('v1', 'ConfigMap', {
          reconcile: async () => {},
          watches: [
            { apiVersion: 'v1', kind: 'Node', map: () => [] },
            { apiVersion: 'v1', kind: 'ConfigMap', map: () => [] },
          ],
        }),
      ],
      caches: { 'v1/Secret': { namespace: 'vault' }, 'networking.k8s.io/v1/NetworkPolicy': {} },
    },
    [
      own,
      'get,list,watch: nodes. in all',
      'get,list,watch: secrets. in vault',
      'get,list,watch: networkpolicies.networking.k8s.io',
    ],
  ],
  [
    'children, also without a namespace',
    {
      controlled: [
        controller('v1', 'ConfigMap', {
          reconcile: async () => {},
          children: ['apps/v1/Deployment', 'rbac.authorization.k8s.io/v1/ClusterRole'],
        }),
      ],
    },
    [
      own,
      'get,list,watch,create,patch,delete: deployments.apps',
      'get,list,watch,create,patch,delete: clusterroles.rbac.authorization.k8s.io in all',
    ],
  ],
  [
    'a kind that reports and cleans up',
    {
      controlled: [
        controller('v1', 'Endpoints', { reconcile: async () => {}, cleanup: async () => {}, reports: true }),
      ],
    },
    ['get,list,watch,patch: endpoints.', 'patch: endpoints/status.'],
  ],
  [
    'a kind without a namespace',
    { controlled: [controller('v1', 'Node', async () => {})] },
    ['get,list,watch: nodes. in all'],
  ],
  ['Events', { events: true, namespaces: ['shop'] }, [own, 'create,patch: events.events.k8s.io']],
  [
    'Events about kinds without a namespace, which are in default',
    { controlled: [controller('v1', 'Node', async () => {})], events: true, namespaces: ['shop'] },
    [
      'get,list,watch: nodes. in all',
      'create,patch: events.events.k8s.io',
      'create,patch: events.events.k8s.io in default',
    ],
  ],
  [
    'a Lease',
    { leases: { name: 'notes', namespace: 'shop', isShared: false } },
    [own, 'create: leases.coordination.k8s.io in shop', 'get,update: leases.coordination.k8s.io named notes in shop'],
  ],
  [
    'the Leases of shards',
    { leases: { name: 'notes', namespace: 'shop', isShared: true } },
    [own, 'list,watch,create,update,delete: leases.coordination.k8s.io in shop'],
  ],
  ['namespaces by labels', { selectsNamespaces: true }, [own, 'list,watch: namespaces. in all']],
])('%s', (_, change, expected) => {
  expect(shown(change)).toEqual(expected)
})
