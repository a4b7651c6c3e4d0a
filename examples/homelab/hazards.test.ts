// The eighteen hazards behind the guide's code, as its operator had them: one test each, in their order. A dependency of an
// AuthentikServer, and its pods, are written by the test.

import type { LooseObject } from '@homeostat/client'
import {
  BreakingChangeError,
  describeDefinition,
  installDefinition,
  ResourceReference,
  ResourceService,
} from '@homeostat/operator'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { authentikEnv, readyPods, reconciledAgain } from './authentik.fixture.ts'
import { conditions, domain, domainEnv, domainRef, gatewayRef, issue, untilDomain } from './domain.fixture.ts'
import { probe, probeKind, probeRef } from './hazards.fixture.ts'
import { customResources } from './src/custom-resources/custom-resources.ts'
import { postgresDatabaseDefinition } from './src/custom-resources/postgres-database/postgres-database.ts'
import { GROUP } from './src/group.ts'

const apiVersion = `${GROUP}/v1`
const place = { name: 'homelab', namespace: 'homelab' }

test('1: what the server adds to a Deployment or a Service is no difference', async () => {
  const env = await authentikEnv()
  await readyPods(env)
  const { live } = {
    live: await env.client.resource('apps/v1', 'Deployment').get({ ...place, name: 'homelab-server' }),
  }
  expect(live.spec?.progressDeadlineSeconds).toBe(600)
  expect(await reconciledAgain(env)).toEqual([])
})

test('2: the order of a list, and one item more, are differences', async () => {
  const env = await domainEnv()
  await env.apply(domain())
  const { spec } = await env.until<LooseObject>(gatewayRef(), () => true)
  await untilDomain(env, 'Gateway', 'True Ready')
  const servers = spec?.servers as object[]
  const gateways = env.client.resourceOf<LooseObject>('networking.istio.io/v1', 'Gateway')
  for (const changed of [servers.toReversed(), [...servers, servers[0]]]) {
    await gateways.patch(place, { spec: { servers: changed } } as never)
    await env.until<LooseObject>(
      gatewayRef(),
      (found) => JSON.stringify(found.spec?.servers) === JSON.stringify(servers),
    )
  }
})

test('3: a reconcile writes its conditions once, and domains that read each other come to rest', async () => {
  const env = await domainEnv()
  await env.apply(domain(), domain('second'))
  await issue(env)
  await untilDomain(env, 'Ready', 'True Ready')
  await env.settled()
  env.takeWrites()
  await env.client.resourceOf(apiVersion, 'Domain').patch(place, { metadata: { labels: { touched: 'yes' } } })
  await env.settled()
  expect(env.takeWrites()).toEqual([])
  await env.apply(domain('homelab', { issuer: 'other' }))
  await untilDomain(env, 'Certificate', 'True Ready')
  await env.settled()
  const statuses = env.takeWrites().filter((write) => write.includes('/domains/homelab/status'))
  // Of the reconcile that changes the certificate, and of the one that finds it ready.
  expect(statuses.length).toBeLessThanOrEqual(2)
})

test('4: an operator that starts again keeps all conditions, with their times', async () => {
  const env = await domainEnv()
  await env.apply(domain())
  await issue(env)
  const before = (await untilDomain(env, 'Ready', 'True Ready')).status?.conditions
  await env.settled()
  await env.operating.close()
  const again = env.run(customResources, { name: 'homelab' })
  await again.ready
  await env.settled()
  expect((await env.until<LooseObject>(domainRef(), () => true)).status?.conditions).toEqual(before)
  expect(before?.map(({ type }) => type)).toEqual(['Accepted', 'Hostname', 'Certificate', 'Gateway', 'Ready'])
})

test('5: a listener for a part of an object hears changes of that part, and only these', async () => {
  const heard: string[] = []
  const env = await domainEnv()
  const reference = new ResourceReference()
  const kind = probeKind(async ({ services }) => {
    reference.current ??= services.get(ResourceService).get({ ...domainRef() })
  })
  for (const event of ['changedSpec', 'changedStatus', 'changedMetadata'] as const)
    reference.on(event, () => void heard.push(event))
  await env.run(kind, { name: 'probes' }).ready
  await env.apply(domain(), probe())
  await env.until(probeRef(), ({ status }: LooseObject) => status?.conditions !== undefined)
  await env.settled()
  heard.length = 0
  await issue(env)
  await untilDomain(env, 'Ready', 'True Ready')
  await expect.poll(() => heard).toContain('changedStatus')
  expect(heard).not.toContain('changedSpec')
  await env.apply(domain('homelab', { issuer: 'other' }))
  await expect.poll(() => heard).toContain('changedSpec')
})

test('6, 7: a reconcile that fails ends nothing, and is tried again after a delay that grows', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  const times: number[] = []
  const env = await domainEnv()
  const kind = probeKind(async ({ name }) => {
    if (name === 'other') return
    times.push(env.clock.now())
    throw new Error('not today')
  })
  await env.run(kind, { name: 'probes' }).ready
  await env.apply(probe(), probe('other'))
  await env.until<LooseObject>(probeRef('other'), (object) => conditions(object).Ready?.startsWith('True') === true)
  for (let turn = 0; turn < 40; turn++) await env.advance('500ms')
  const delays = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  expect(times.length).toBeGreaterThan(4)
  expect(times.length).toBeLessThan(16)
  expect(delays.at(-1)).toBeGreaterThan((delays[0] ?? 0) * 2)
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

test('8: an invalid spec is a condition that names the field', async () => {
  const env = await domainEnv()
  await env.run(postgresDatabaseDefinition, { name: 'databases' }).ready
  const metadata = { name: 'bad', namespace: 'homelab' }
  const kind = 'PostgresDatabase'
  await env.apply({ apiVersion, kind, metadata, spec: { connection: 'db', database: 'template1' } })
  const refused = await env.until<LooseObject>(
    { apiVersion, kind, ...metadata },
    (object) => conditions(object).Accepted !== undefined,
  )
  expect(refused.status?.conditions?.find(({ type }) => type === 'Accepted')).toMatchObject({
    status: 'False',
    message: 'spec.database: is reserved by PostgreSQL',
  })
})

test('9: the spec is what Zod made of it', async () => {
  const seen: string[] = []
  const env = await domainEnv()
  await env.run(
    probeKind(async ({ spec }) => seen.push(spec.text)),
    { name: 'probes' },
  ).ready
  await env.apply(probe())
  await expect.poll(() => seen).toContain('NONE')
})

test('10: nothing is kept of objects that are gone', async () => {
  const env = await domainEnv()
  const running = env.run(
    probeKind(async () => {}),
    { name: 'probes' },
  )
  await running.ready
  await env.settled()
  const before = JSON.stringify(await running.sizes())
  const names = Array.from({ length: 20 }, (_, index) => `p${index}`)
  await env.apply(...names.map((name) => probe(name)))
  await env.settled()
  expect(JSON.stringify(await running.sizes())).not.toBe(before)
  const probes = env.client.resourceOf(apiVersion, 'Probe')
  for (const name of names) await probes.delete({ name, namespace: 'homelab' })
  await expect.poll(async () => JSON.stringify(await running.sizes())).toBe(before)
})

test('11, 12: keys are made once, in base64, whatever a cache shows and whoever owns the Secret', async () => {
  const env = await authentikEnv()
  const secrets = env.client.resource('v1', 'Secret')
  const own = { name: 'homelab-authentik', namespace: 'homelab' }
  await expect.poll(async () => (await secrets.find(own))?.data?.secretKey).toBeDefined()
  const { data } = await secrets.get(own)
  expect(Buffer.from(data?.secretKey ?? '', 'base64').toString()).toMatch(/^[A-Za-z0-9_-]{64}$/)
  await secrets.patch(own, { metadata: { ownerReferences: null } } as never)
  await env.settled()
  const blind = env.run(customResources, { name: 'blind', caches: { 'v1/Secret': { labelSelector: 'never=there' } } })
  await blind.ready
  await env.settled()
  expect((await secrets.get(own)).data).toEqual(data)
})

test('13: a field that is no longer wanted goes, and a field of somebody else stays', async () => {
  const env = await domainEnv()
  await env.apply(domain('homelab', { ingress: { selector: { istio: 'ingress', edge: 'one' } } }))
  await env.until<LooseObject>(gatewayRef(), ({ spec }) => JSON.stringify(spec?.selector).includes('edge'))
  const gateways = env.client.resourceOf('networking.istio.io/v1', 'Gateway')
  await gateways.patch(place, { metadata: { labels: { theirs: 'yes' } } })
  await env.apply(domain('homelab', { ingress: { selector: { istio: 'other' } } }))
  const changed = await env.until<LooseObject>(
    gatewayRef(),
    ({ spec }) => JSON.stringify(spec?.selector) === '{"istio":"other"}',
  )
  expect(changed.metadata.labels).toEqual({ theirs: 'yes' })
})

test('14: a child that is no longer wanted goes', async () => {
  const env = await domainEnv()
  const kind = probeKind(async (one) => {
    for (const part of one.spec.text.toLowerCase().split(' '))
      await one.own('v1', 'ConfigMap', part).ensure({ data: { part } })
  })
  await env.run(kind, { name: 'probes' }).ready
  const part = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, namespace: 'homelab' })
  await env.apply(probe('one', { text: 'a b' }))
  for (const name of ['a', 'b']) await env.until(part(name), () => true)
  await env.apply(probe('one', { text: 'b' }))
  await env.untilGone(part('a'))
  await env.until(part('b'), () => true)
})

test('15: the definitions lose nothing of their schemas, and a change that breaks objects is refused', async () => {
  const env = await domainEnv()
  const warnings = customResources.flatMap((one) => describeDefinition({ ...one, names: undefined }).warnings)
  // The only rule that a schema of a server cannot hold.
  expect(warnings).toEqual([expect.stringMatching(/^spec\.database: \.refine\(\)/)])
  const changed = {
    group: GROUP,
    version: 'v1',
    kind: 'Domain',
    spec: z.object({ hostname: z.int(), issuer: z.string() }),
  }
  const { manifest } = describeDefinition(changed)
  await expect(installDefinition(env.client, manifest)).rejects.toBeInstanceOf(BreakingChangeError)
})

test('16: an object that is deleted is gone for whoever reads it', async () => {
  const seen: boolean[] = []
  const env = await domainEnv()
  const kind = probeKind(async ({ services }) =>
    seen.push(services.get(ResourceService).get({ ...gatewayRef() }).exists),
  )
  await env.run(kind, { name: 'probes' }).ready
  await env.apply(domain(), probe())
  await expect.poll(() => seen.at(-1)).toBe(true)
  await env.client.resourceOf(apiVersion, 'Domain').delete(place)
  await expect.poll(() => seen.at(-1)).toBe(false)
})

test('17: events are Normal or Warning, and equal ones are counted', async () => {
  const env = await domainEnv([])
  await env.apply(domain())
  await untilDomain(env, 'Ready', 'False MissingCRD')
  const events = env.client.resourceOf<LooseObject & { type: string; reason: string }>('v1', 'Event')
  const about = async () => (await events.list({ namespace: 'homelab' })).items
  await expect.poll(async () => (await about()).length).toBeGreaterThan(0)
  for (let turn = 0; turn < 3; turn++) {
    const labels = { turn: String(turn) }
    await env.client.resourceOf(apiVersion, 'Domain').patch(place, { metadata: { labels } })
    await env.settled()
  }
  const found = await about()
  expect(found.every(({ type }) => type === 'Normal' || type === 'Warning')).toBe(true)
  expect(new Set(found.map(({ reason }) => reason)).size).toBe(found.length)
})

test('18: a kind may be without a namespace', async () => {
  const { createCustomResourceDefinition, CustomResource } = await import('@homeostat/operator')
  const spec = z.object({})
  const seen: unknown[] = []
  class Everywhere extends CustomResource<typeof spec, undefined, 'Cluster'> {
    async reconcile() {
      seen.push(this.namespace)
    }
  }
  const env = await domainEnv()
  const kind = createCustomResourceDefinition({
    group: GROUP,
    version: 'v1',
    kind: 'Everywhere',
    scope: 'Cluster',
    spec,
    create: (options) => new Everywhere(options),
  })
  await env.run(kind, { name: 'everywhere' }).ready
  await env.apply({ apiVersion, kind: 'Everywhere', metadata: { name: 'one' }, spec: {} })
  await expect.poll(() => seen).toEqual([undefined])
})
