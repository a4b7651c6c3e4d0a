// An operator with `validate`, `mutate` and older versions as an add-on: the server asks it in its own process.

import type { AddOn, Inside } from '@homeostat/apiserver/add-on'
import { silentLog } from '@homeostat/base'
import { type ApiObject, createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { olderVersion, operator, run } from '@homeostat/operator'
import { MemoryStore, type Store } from '@homeostat/store'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { startControlPlane } from './control-plane.ts'

const spec = z.object({ host: z.string(), owner: z.string().optional() })
const site = operator(
  'in.test/v2/Site',
  {
    spec,
    versions: {
      v1: olderVersion({
        spec: z.object({ address: z.string() }),
        next: spec,
        up: ({ address }) => ({ host: address }),
        down: ({ host }) => ({ address: host }),
      }),
    },
  },
  ({ spec: { host } }) => ({ status: { host } }),
  {
    mutate: ({ operation, spec: given, user }) =>
      operation === 'CREATE' ? { ...given, owner: user.username } : undefined,
    validate: ({ spec: { host } }) => (host === 'nowhere' ? 'spec.host is nowhere' : undefined),
  },
)

const all = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']
const siteAddOn = (started: () => void): AddOn => ({
  name: 'Site',
  access: [
    { apiGroups: ['in.test'], resources: ['sites', 'sites/status', 'sites/finalizers'], verbs: all },
    { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
    { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: all },
    {
      apiGroups: ['admissionregistration.k8s.io'],
      resources: ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'],
      verbs: all,
    },
  ],
  async start(client, signal, { serveWebhooks, log }: Inside) {
    const running = run(site, { client, signal, log, name: 'site', webhooks: { here: serveWebhooks } })
    await running.ready
    started()
    await running.done
  },
})

async function serve(store: Store, addOns: readonly AddOn[]) {
  const plane = await startControlPlane({ store, host: '127.0.0.1', port: 0, logger: silentLog, addOns })
  const client = createClient(nodeTransport({ url: plane.url }))
  const close = async () => {
    client.close()
    await plane.close()
  }
  onTestFinished(close)
  const kinds = {
    sites: client.resourceOf('in.test/v2', 'Site'),
    oldSites: client.resourceOf('in.test/v1', 'Site'),
    configurations: client.resourceOf('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'),
  }
  return { ...kinds, close }
}

async function serveSites(store: Store) {
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  const server = await serve(store, [siteAddOn(resolve)])
  await ready
  return server
}

const siteAt = (host: string): ApiObject & { readonly spec: object } => ({
  apiVersion: 'in.test/v2',
  kind: 'Site',
  metadata: { generateName: 'a', namespace: 'default' },
  spec: { host },
})

test('an add-on answers for its kinds in the process of the server', async () => {
  const { sites, oldSites, configurations } = await serveSites(new MemoryStore())
  await expect(sites.create(siteAt('nowhere'))).rejects.toThrow('denied the request: spec.host is nowhere')
  const made = await sites.create(siteAt('here'))
  expect(made).toMatchObject({ spec: { host: 'here', owner: 'system:admin' } })
  const { name = '', namespace = '' } = made.metadata
  expect(await oldSites.get({ name, namespace })).toMatchObject({ spec: { address: 'here' } })
  const { items } = await configurations.list()
  expect(items).toMatchObject([
    { webhooks: [{ clientConfig: { url: 'https://add-on-site-1.internal/validate/sites.in.test' } }] },
  ])
})

test('what a killed server left behind fails writes until the add-on runs again', async () => {
  const store = new MemoryStore()
  const first = await serveSites(store)
  const [configuration] = (await first.configurations.list()).items
  const { apiVersion, kind, metadata, webhooks } = configuration as ApiObject & { webhooks: object }
  await first.close()

  const without = await serve(store, [])
  expect((await without.configurations.list()).items).toEqual([])
  await without.configurations.create({
    apiVersion,
    kind,
    metadata: { name: metadata.name ?? '' },
    webhooks,
  } as ApiObject)
  await expect(without.sites.create(siteAt('here'))).rejects.toThrow('failed calling webhook "validate.sites.in.test"')
  await without.close()

  const again = await serveSites(store)
  expect(await again.sites.create(siteAt('here'))).toMatchObject({ spec: { host: 'here' } })
})
