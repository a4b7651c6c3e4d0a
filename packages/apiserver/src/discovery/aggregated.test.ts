import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { aggregatedVersion } from '../http/discovery-handler.ts'
import { Discovery } from './discovery.ts'
import { builtinGadget, gadgetType, tableOf } from './gadget.fixture.ts'

const V2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
const V2BETA1 = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList'

const pods = builtinGadget({
  group: '',
  kind: 'Pod',
  resource: 'pods',
  shortNames: ['po'],
  subresources: {
    status: true,
    others: {
      log: { verbs: ['get'] },
      eviction: { verbs: ['create'], answers: { group: 'policy', version: 'v1', kind: 'Eviction' } },
    },
  },
})
const items = (types: ReturnType<typeof tableOf>, root: 'api' | 'apis' = 'apis') =>
  JSON.parse(new Discovery(types).aggregated(root, 'v2').body.toString()).items

describe('the aggregated document', () => {
  it('describes a custom resource key for key as Kubernetes does', () => {
    const kind = { group: 'facts.example.com', version: 'v1', kind: 'Gadget' }
    expect(items(tableOf(gadgetType()))).toStrictEqual([
      {
        metadata: { name: 'facts.example.com' },
        versions: [
          {
            version: 'v1',
            resources: [
              {
                resource: 'gadgets',
                responseKind: kind,
                scope: 'Namespaced',
                singularResource: 'gadget',
                verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
                shortNames: ['gd'],
                categories: ['all'],
                subresources: [
                  { subresource: 'status', responseKind: kind, verbs: ['get', 'patch', 'update'] },
                  {
                    subresource: 'scale',
                    responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
                    verbs: ['get', 'patch', 'update'],
                  },
                ],
              },
            ],
            freshness: 'Current',
          },
        ],
      },
    ])
  })

  it('leaves group and version of a built-in kind empty, but not those of another kind that a subresource has', () => {
    const [core] = items(tableOf(pods), 'api')
    expect(core.metadata).toEqual({})
    const [resource] = core.versions[0].resources
    expect(resource.responseKind).toEqual({ group: '', version: '', kind: 'Pod' })
    expect(resource.subresources).toEqual([
      {
        subresource: 'eviction',
        responseKind: { group: 'policy', version: 'v1', kind: 'Eviction' },
        verbs: ['create'],
      },
      { subresource: 'log', responseKind: { group: '', version: '', kind: 'Pod' }, verbs: ['get'] },
      {
        subresource: 'status',
        responseKind: { group: '', version: '', kind: 'Pod' },
        verbs: ['get', 'patch', 'update'],
      },
    ])
  })

  it('has the core group below /api and every other below /apis, the newest version first', () => {
    const types = tableOf(pods, gadgetType(), gadgetType({ version: 'v1beta1' }), gadgetType({ version: 'v2' }))
    expect(items(types, 'api')).toHaveLength(1)
    const [group, ...others] = items(types)
    expect(others).toEqual([])
    expect(group.versions.map(({ version }: { version: string }) => version)).toEqual(['v2', 'v1', 'v1beta1'])
  })

  it('is the same in both versions but for its own', () => {
    const discovery = new Discovery(tableOf(gadgetType()))
    const [old, current] = (['v2beta1', 'v2'] as const).map((version) =>
      JSON.parse(discovery.aggregated('apis', version).body.toString()),
    )
    expect(old.apiVersion).toBe('apidiscovery.k8s.io/v2beta1')
    expect({ ...old, apiVersion: 'apidiscovery.k8s.io/v2' }).toStrictEqual(current)
  })

  it('is kept with the hash of its bytes until a type changes', () => {
    const types = tableOf(gadgetType())
    const discovery = new Discovery(types)
    const before = discovery.aggregated('apis', 'v2')
    expect(discovery.aggregated('apis', 'v2')).toBe(before)
    expect(before.etag).toBe(`"${createHash('sha512').update(before.body).digest('hex').toUpperCase()}"`)
    types.set('facts.example.com', 'gadgets', [gadgetType({ shortNames: [] })])
    expect(discovery.aggregated('apis', 'v2').etag).not.toBe(before.etag)
  })
})

describe('what a client asks for', () => {
  it.each([
    [`${V2},${V2BETA1},application/json`, 'v2'],
    [`${V2BETA1},application/json`, 'v2beta1'],
    [`application/json,${V2}`, undefined],
    [`application/json;q=0.9,${V2}`, 'v2'],
    [`${V2};q=0.5,${V2BETA1}`, 'v2beta1'],
    ['application/json;g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList,application/json', undefined],
    [`application/vnd.kubernetes.protobuf,${V2}`, 'v2'],
    ['*/*', undefined],
  ])('%s is %s', (accept, version) => {
    expect(aggregatedVersion(accept)).toBe(version)
  })
})
