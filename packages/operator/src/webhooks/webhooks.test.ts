// `validate`, `mutate` and older versions of a kind, with a real server: in its process, and over TLS.

import { createPublicKey, X509Certificate } from 'node:crypto'
import { connect } from 'node:tls'
import { startApiServer } from '@homeostat/apiserver'
import { ManualClock, silentLog } from '@homeostat/base'
import { type ApiObject, createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { forbidden } from '@homeostat/meta'
import { MemoryStore } from '@homeostat/store'
import { testEnv } from '@homeostat/testing'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { impliedRules } from '../access/implied-rules.ts'
import { operator } from '../functional/operator.ts'
import { olderVersion } from '../resources/older-version.ts'
import { run } from '../run.ts'
import { serveWebhooks } from './webhook-server.ts'

const spec = z.object({
  host: z.string().default('localhost'),
  port: z.int().default(80),
  owner: z.string().optional(),
  even: z
    .int()
    .refine((value) => value % 2 === 0, 'must be even')
    .optional(),
})
const before = z.object({ address: z.string() })

const site = operator(
  'ex.io/v2/Site',
  {
    spec,
    versions: {
      v1: olderVersion({
        spec: before,
        next: spec,
        up: ({ address }) => ({ host: address.split(':')[0] ?? '', port: Number(address.split(':')[1] ?? 80) }),
        down: ({ host, port }) => ({ address: `${host}:${port}` }),
        deprecated: true,
      }),
    },
  },
  ({ spec: { host } }) => ({ status: { host } }),
  {
    mutate: ({ operation, spec: given, user }) =>
      operation === 'CREATE' ? { ...given, owner: user.username } : undefined,
    validate({ spec: { host, port }, old, warn }) {
      if (host === 'throws') throw new Error('it broke')
      if (host === 'refused') throw forbidden({ group: 'ex.io', resource: 'sites', name: 'x' }, 'not there')
      if (port > 1024) warn('a high port')
      if (old?.spec !== undefined && port < old.spec.port) return `spec.port must not fall below ${old.spec.port}`
      return host === 'nowhere' ? ['spec.host is nowhere', 'and nobody'] : undefined
    },
  },
)

const v2 = (name: string, given: object): ApiObject =>
  ({ apiVersion: 'ex.io/v2', kind: 'Site', metadata: { name, namespace: 'default' }, spec: given }) as ApiObject
const place = (name: string) => ({ name, namespace: 'default' })

it('in a test they run in the process of the server, without a port', async () => {
  await using env = await testEnv()
  const running = env.run(site)
  await running.ready
  const sites = env.client.resourceOf<ApiObject & { spec: Record<string, unknown> }>('ex.io/v2', 'Site')
  const made = await sites.create(v2('a', {}) as never)
  expect(made.spec).toEqual({ host: 'localhost', port: 80, owner: 'system:admin' })
  await expect(sites.create(v2('b', { host: 'nowhere' }) as never)).rejects.toThrow(
    'admission webhook "validate.sites.ex.io" denied the request: [spec.host is nowhere, and nobody]',
  )
  await expect(sites.patch(place('a'), { spec: { port: 79 } })).rejects.toThrow('spec.port must not fall below 80')
  await expect(sites.patch(place('a'), { spec: { even: 3 } })).rejects.toThrow('spec.even: must be even')
  await expect(sites.create(v2('b', { host: 'throws' }) as never)).rejects.toThrow('it broke')
  await expect(sites.create(v2('b', { host: 'refused' }) as never)).rejects.toMatchObject({
    status: { reason: 'Forbidden', code: 403 },
  })
  const old = env.client.resourceOf<ApiObject & { spec: { address: string } }>('ex.io/v1', 'Site')
  expect((await old.get(place('a'))).spec).toEqual({ address: 'localhost:80' })
  await old.create({ ...v2('c', { address: 'here:8080' }), apiVersion: 'ex.io/v1' } as never)
  // The webhooks see what is written in v1, too. What v1 cannot hold is lost: here the owner.
  expect((await sites.get(place('c'))).spec).toEqual({ host: 'here', port: 8080 })
  await expect(old.patch(place('c'), { spec: { address: 'here:1' } })).rejects.toThrow('must not fall below 8080')
  await env.settled()
  expect(await sites.get(place('c'))).toMatchObject({ status: { host: 'here' } })
  await running.close()
  expect(
    (await env.client.resourceOf('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration').list()).items,
  ).toEqual([])
  expect(
    (await env.client.resourceOf('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration').list()).items,
  ).toEqual([])
  await sites.create(v2('later', { host: 'nowhere' }) as never)
})

it('they are served over TLS with certificates of their own, and again after a restart', async () => {
  const store = new MemoryStore()
  const server = await startApiServer({ store, host: '127.0.0.1', port: undefined })
  const client = createClient(nodeTransport({ url: 'http://localhost', connect: () => server.connect() }))
  onTestFinished(async () => {
    client.close()
    await server.close()
    await store.close()
  })
  const sites = client.resourceOf<ApiObject & { spec: Record<string, unknown> }>('ex.io/v2', 'Site')
  const old = client.resourceOf<ApiObject & { spec: object }>('ex.io/v1', 'Site')
  for (const name of ['a', 'b']) {
    const running = run(site, { client, log: silentLog })
    await running.ready
    expect((await sites.create(v2(name, {}) as never)).spec.owner).toBe('system:admin')
    expect((await old.get(place(name))).spec).toEqual({ address: 'localhost:80' })
    await running.close()
  }
  // Who converted is gone: the stored version is still there.
  expect((await sites.get(place('a'))).spec.port).toBe(80)
  await expect(old.get(place('a'))).rejects.toThrow('conversion webhook for ex.io/v2, Kind=Site failed')
})

it('replicas behind one Service are all trusted, and the last one removes the configuration', async () => {
  const store = new MemoryStore()
  const ports = [0, 0]
  const server = await startApiServer({ store, host: '127.0.0.1', port: undefined })
  const client = createClient(nodeTransport({ url: 'http://localhost', connect: () => server.connect() }))
  onTestFinished(async () => {
    client.close()
    await server.close()
    await store.close()
  })
  const service = { namespace: 'default', name: 'hooks' }
  const replicas = ports.map((port) =>
    run(site, { client, log: silentLog, webhooks: { service, host: '127.0.0.2', port } }),
  )
  await Promise.all(replicas.map(({ ready }) => ready))
  const configurations = client.resourceOf<
    ApiObject & { webhooks: { clientConfig: { caBundle: string; service: object } }[] }
  >('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration')
  const authorities = async () => {
    const [found] = (await configurations.list()).items
    const bundle = found?.webhooks[0]?.clientConfig.caBundle ?? ''
    return Buffer.from(bundle, 'base64')
      .toString()
      .match(/BEGIN CERTIFICATE/g)?.length
  }
  expect(await authorities()).toBe(2)
  // Either may be asked to convert, too.
  const definition = await client
    .resourceOf<ApiObject & { spec: { conversion: { webhook: { clientConfig: { caBundle: string } } } } }>(
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
    )
    .get({ name: 'sites.ex.io' })
  const converters = Buffer.from(definition.spec.conversion.webhook.clientConfig.caBundle, 'base64').toString()
  expect(converters.match(/BEGIN CERTIFICATE/g)).toHaveLength(2)
  await replicas[0]?.close()
  expect(await authorities()).toBe(1)
  await replicas[1]?.close()
  expect(await authorities()).toBeUndefined()
})

it('a certificate is renewed before it ends, by the same authority', async () => {
  const clock = new ManualClock(Date.now())
  const names = ['127.0.0.1']
  const server = await serveWebhooks({
    host: '127.0.0.1',
    port: 0,
    names,
    clock,
    log: silentLog,
    answer: async () => ({}),
  })
  onTestFinished(() => server.close())
  const authority = createPublicKey(server.authority)
  const ends = () =>
    new Promise<number>((resolve, reject) => {
      // The test's clock is far ahead of the one that node:tls looks at.
      const socket = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false }, () => {
        const certificate = new X509Certificate(socket.getPeerCertificate().raw)
        socket.destroy()
        if (certificate.verify(authority)) resolve(certificate.validToDate.getTime())
        else reject(new Error('another authority'))
      })
      socket.once('error', reject)
    })
  const first = await ends()
  clock.advance(60 * 24 * 3_600_000)
  expect(await ends()).toBeGreaterThan(first)
})

it('the roles of synth have the rights to register them', () => {
  const all = impliedRules({
    controlled: [site],
    caches: {},
    namespaces: undefined,
    selectsNamespaces: false,
    events: false,
    installs: false,
    configuration: 'site-operator.ex.io',
  })
  const rules = all.filter(({ apiGroups }) => apiGroups.includes('admissionregistration.k8s.io'))
  expect(rules.map(({ verbs, resources, resourceNames }) => [verbs, resources, resourceNames])).toEqual(
    ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'].flatMap((resource) => [
      [['create'], [resource], undefined],
      [['get', 'update', 'delete'], [resource], ['site-operator.ex.io']],
    ]),
  )
  expect(all).toContainEqual(
    expect.objectContaining({
      resources: ['customresourcedefinitions'],
      verbs: ['get', 'update', 'watch'],
      resourceNames: ['sites.ex.io'],
    }),
  )
})
