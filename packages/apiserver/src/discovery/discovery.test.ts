import { describe, expect, it } from 'vitest'
import { Discovery } from './discovery.ts'
import { builtinGadget, gadgetType, tableOf } from './gadget.fixture.ts'

const read = (body: Buffer | undefined) => body && JSON.parse(body.toString())

describe('resource list', () => {
  it('describes a custom resource and its subresources key for key as Kubernetes does', () => {
    expect(read(new Discovery(tableOf(gadgetType())).resourceList('facts.example.com', 'v1'))).toStrictEqual({
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: 'facts.example.com/v1',
      resources: [
        {
          name: 'gadgets',
          singularName: 'gadget',
          namespaced: true,
          kind: 'Gadget',
          verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
          shortNames: ['gd'],
          categories: ['all'],
          storageVersionHash: 'r2mR7+4HuWQ=',
        },
        {
          name: 'gadgets/status',
          singularName: '',
          namespaced: true,
          kind: 'Gadget',
          verbs: ['get', 'patch', 'update'],
        },
        {
          name: 'gadgets/scale',
          singularName: '',
          namespaced: true,
          group: 'autoscaling',
          version: 'v1',
          kind: 'Scale',
          verbs: ['get', 'patch', 'update'],
        },
      ],
    })
  })

  it('hashes the storage version, whichever version is asked for', () => {
    const app = { group: 'c2.example.com', kind: 'App', resource: 'apps', storageVersion: 'v1' }
    const discovery = new Discovery(
      tableOf(gadgetType({ ...app, version: 'v1' }), gadgetType({ ...app, version: 'v2' })),
    )
    for (const version of ['v1', 'v2']) {
      expect(read(discovery.resourceList('c2.example.com', version)).resources[0].storageVersionHash).toBe(
        'twdPoFZloSE=',
      )
    }
  })

  it('hashes where objects are stored, and nothing for what is never stored', () => {
    const events = { kind: 'Event', resource: 'events', storage: 'core/events' }
    const same = <T>(object: T) => object
    const review = { group: 'authentication.k8s.io', kind: 'TokenReview', resource: 'tokenreviews', verbs: ['create'] }
    const discovery = new Discovery(
      tableOf(
        builtinGadget({ group: 'events.k8s.io', conversion: { fromStored: same, toStored: same }, ...events }),
        builtinGadget({ group: '', ...events }),
        builtinGadget(review),
      ),
    )
    const entry = (group: string) => read(discovery.resourceList(group, 'v1')).resources[0]
    expect(entry('events.k8s.io').storageVersionHash).toBe('r2yiGXH7wu8=')
    expect(entry('').storageVersionHash).toBe('r2yiGXH7wu8=')
    expect(entry('authentication.k8s.io')).not.toHaveProperty('storageVersionHash')
  })

  it('offers only reads and deletes while the definition terminates', () => {
    const discovery = new Discovery(tableOf(gadgetType({ acceptsCreates: false })))
    expect(read(discovery.resourceList('facts.example.com', 'v1')).resources[0].verbs).toEqual(
      'delete deletecollection get list watch'.split(' '),
    )
  })

  it('sorts built-in resources, their verbs and their subresources, and leaves out empty names', () => {
    const namespaces = builtinGadget({
      group: '',
      kind: 'Namespace',
      resource: 'namespaces',
      namespaced: false,
      verbs: ['watch', 'create', 'delete', 'get', 'list', 'patch', 'update'],
      subresources: { status: true, others: { finalize: { verbs: ['update'] } } },
    })
    const configMaps = builtinGadget({ group: '', kind: 'ConfigMap', resource: 'configmaps', shortNames: ['cm'] })
    const { groupVersion, resources } = read(new Discovery(tableOf(namespaces, configMaps)).resourceList('', 'v1'))
    expect(groupVersion).toBe('v1')
    expect(resources.map((entry: { name: string }) => entry.name)).toEqual([
      'configmaps',
      'namespaces',
      'namespaces/finalize',
      'namespaces/status',
    ])
    expect(resources[1]).toStrictEqual({
      name: 'namespaces',
      singularName: 'namespace',
      namespaced: false,
      kind: 'Namespace',
      verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersionHash: 'Q3oi5N2YM8M=',
    })
    expect(resources[2].verbs).toEqual(['update'])
  })

  it('is absent for a version that is not served', () => {
    const discovery = new Discovery(tableOf(gadgetType()))
    expect(discovery.resourceList('facts.example.com', 'v2')).toBeUndefined()
    expect(discovery.resourceList('none.example.com', 'v1')).toBeUndefined()
  })
})

describe('groups', () => {
  it('prefers the highest stable version and lists versions best first', () => {
    const versions = ['v1', 'v2', 'v1beta1', 'v10'].map((version) => gadgetType({ version }))
    expect(read(new Discovery(tableOf(...versions)).group('facts.example.com'))).toStrictEqual({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'facts.example.com',
      versions: [
        { groupVersion: 'facts.example.com/v10', version: 'v10' },
        { groupVersion: 'facts.example.com/v2', version: 'v2' },
        { groupVersion: 'facts.example.com/v1', version: 'v1' },
        { groupVersion: 'facts.example.com/v1beta1', version: 'v1beta1' },
      ],
      preferredVersion: { groupVersion: 'facts.example.com/v10', version: 'v10' },
    })
  })

  it('has well-known groups in their order, then custom ones by name, and never the core group', () => {
    const groups = ['z.example.com', 'coordination.k8s.io', 'a.example.com', 'apiextensions.k8s.io', 'apps', '']
    const list = read(new Discovery(tableOf(...groups.map((group) => gadgetType({ group })))).groupList())
    expect(list).toMatchObject({ kind: 'APIGroupList', apiVersion: 'v1' })
    expect(list.groups.map((group: { name: string }) => group.name)).toEqual([
      'apps',
      'apiextensions.k8s.io',
      'coordination.k8s.io',
      'a.example.com',
      'z.example.com',
    ])
    expect(Object.keys(list.groups[0])).toEqual(['name', 'versions', 'preferredVersion'])
  })

  it('names the address of the server for the core group', () => {
    expect(read(new Discovery(tableOf()).apiVersions('127.0.0.1:3000'))).toStrictEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:3000' }],
    })
  })
})

describe('memory', () => {
  it('keeps an encoded response until the table changes', () => {
    const types = tableOf(gadgetType())
    const discovery = new Discovery(types)
    const first = discovery.groupList()
    expect(discovery.groupList()).toBe(first)
    types.set('new.example.com', 'gadgets', [gadgetType({ group: 'new.example.com' })])
    expect(read(discovery.groupList()).groups).toHaveLength(2)
    expect(discovery.group('new.example.com')).toBeDefined()
    types.set('new.example.com', 'gadgets', [])
    expect(discovery.group('new.example.com')).toBeUndefined()
  })
})
