import { silentLog } from '@homeostat/base'
import { MemoryStore } from '@homeostat/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listOf } from '../builtin/fields-of.ts'
import { advertise, reachableHost } from './advertise.ts'
import { bootstrap, repairRoles } from './bootstrap.ts'
import { type MemoryApi, memoryApi } from './memory-api.ts'

const NAMESPACES = { group: '', resource: 'namespaces' }
const CLUSTER_ROLES = { group: 'rbac.authorization.k8s.io', resource: 'clusterroles' }
const BINDINGS = { group: 'rbac.authorization.k8s.io', resource: 'clusterrolebindings' }
const SERVICES = { group: '', resource: 'services' }
const ENDPOINTS = { group: '', resource: 'endpoints' }
const SLICES = { group: 'discovery.k8s.io', resource: 'endpointslices' }
const KUBERNETES = { namespace: 'default', name: 'kubernetes' }

const log = {
  ...silentLog,
  error: (fields: object) => {
    throw new Error(JSON.stringify(fields))
  },
}

let server: MemoryApi
beforeEach(async () => {
  server = await memoryApi(new MemoryStore())
})
afterEach(() => server.close())

const start = () => bootstrap({ api: server.api, log, caBundle: 'PEM' })

describe('a start', () => {
  it('makes the system namespaces, and does it once', async () => {
    await start()
    expect(
      server.api.list(NAMESPACES).map(({ metadata, spec, status }) => [metadata.name, metadata.labels, spec, status]),
    ).toEqual(
      ['default', 'kube-node-lease', 'kube-public', 'kube-system'].map((name) => [
        name,
        { 'kubernetes.io/metadata.name': name },
        { finalizers: ['kubernetes'] },
        { phase: 'Active' },
      ]),
    )
    const revision = server.revision()
    await start()
    await repairRoles(server.api, log)
    expect(server.revision()).toBe(revision)
  })

  it('logs one cause that fails many objects once', async () => {
    const logged: { objects?: string[] }[] = []
    const api: typeof server.api = {
      ...server.api,
      create: (resource, ...rest) =>
        resource.resource === NAMESPACES.resource
          ? server.api.create(resource, ...rest)
          : Promise.reject(new Error('database or disk is full')),
    }
    await bootstrap({ api, log: { ...silentLog, error: (fields) => void logged.push(fields) }, caBundle: 'PEM' })
    expect(logged).toHaveLength(1)
    expect(logged[0]?.objects).toContain('configmaps kube-system/extension-apiserver-authentication')
  })

  it('creates roles, aggregated ones with their rules, and bindings', async () => {
    await start()
    const admin = server.api.get(CLUSTER_ROLES, { name: 'admin' })
    expect(admin).toMatchObject({
      metadata: {
        labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
        annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
      },
      aggregationRule: {
        clusterRoleSelectors: [{ matchLabels: { 'rbac.authorization.k8s.io/aggregate-to-admin': 'true' } }],
      },
    })
    for (const [name, rule] of [
      ['system:aggregate-to-admin', 0],
      ['system:aggregate-to-edit', 1],
      ['system:aggregate-to-view', 2],
    ] as const) {
      const part = server.api.get(CLUSTER_ROLES, { name })
      expect(admin?.rules).toContainEqual(listOf(part?.rules)[rule])
    }
    expect(server.api.get(BINDINGS, { name: 'cluster-admin' })).toMatchObject({
      subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:masters' }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    })
  })

  it('makes again what was deleted, and adds what a role lacks', async () => {
    await start()
    await server.api.delete(CLUSTER_ROLES, { name: 'view' })
    await server.api.change(CLUSTER_ROLES, { name: 'system:discovery' }, (role) => {
      role.rules = []
    })
    await start()
    await repairRoles(server.api, log)
    expect(server.api.get(CLUSTER_ROLES, { name: 'view' })).toBeDefined()
    expect(server.api.get(CLUSTER_ROLES, { name: 'system:discovery' })?.rules).toHaveLength(1)
  })

  it('writes the ConfigMap from which aggregated servers learn to verify clients', async () => {
    await start()
    const place = { namespace: 'kube-system', name: 'extension-apiserver-authentication' }
    expect(server.api.get({ group: '', resource: 'configmaps' }, place)?.data).toEqual({ 'client-ca-file': 'PEM' })
  })
})

describe('the service kubernetes', () => {
  it('leads to the server, wherever that is now', async () => {
    await start()
    await advertise(server.api, [{ host: '192.0.2.2', port: 7001 }], 7001)
    expect(server.api.get(SERVICES, KUBERNETES)).toMatchObject({
      metadata: { labels: { component: 'apiserver', provider: 'kubernetes' } },
      spec: { type: 'ClusterIP', clusterIP: '10.0.0.1', ports: [{ name: 'https', port: 443, targetPort: 7001 }] },
    })
    const revision = server.revision()
    await advertise(server.api, [{ host: '192.0.2.2', port: 7001 }], 7001)
    expect(server.revision()).toBe(revision)
    await advertise(server.api, [{ host: '192.0.2.2', port: 7002 }], 7002)
    expect(server.api.get(SERVICES, KUBERNETES)?.spec).toMatchObject({ ports: [{ targetPort: 7002 }] })
    expect(server.api.get(ENDPOINTS, KUBERNETES)?.subsets).toMatchObject([
      { addresses: [{ ip: '192.0.2.2' }], ports: [{ port: 7002 }] },
    ])
    expect(server.api.get(SLICES, KUBERNETES)).toMatchObject({
      metadata: { labels: { 'kubernetes.io/service-name': 'kubernetes' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.2'] }],
      ports: [{ port: 7002 }],
    })
  })

  it('never advertises loopback', async () => {
    const face = (address: string, internal: boolean) => ({
      address,
      internal,
      family: 'IPv4' as const,
      netmask: '',
      mac: '',
      cidr: null,
    })
    const interfaces = { lo: [face('127.0.0.1', true)], eth0: [face('192.0.2.7', false)] }
    expect(reachableHost('198.51.100.1', interfaces)).toBe('198.51.100.1')
    for (const host of ['127.0.0.1', '::1', '0.0.0.0']) expect(reachableHost(host, interfaces)).toBe('192.0.2.7')
    await start()
    await advertise(server.api, [], 7001)
    expect(server.api.get(SERVICES, KUBERNETES)).toBeDefined()
    expect(server.api.get(ENDPOINTS, KUBERNETES)).toBeUndefined()
  })
})
