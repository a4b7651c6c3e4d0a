// `validate`, `mutate` and `versions` of the class style: the same functions and types as those of `operator()`.

import type { ApiObject } from '@homeostat/client'
import { testEnv } from '@homeostat/testing'
import { expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { CustomResource } from '../resources/custom-resource.ts'
import { createCustomResourceDefinition } from '../resources/custom-resource-definition.ts'
import { olderVersion } from '../resources/older-version.ts'

const spec = z.object({
  host: z.string(),
  port: z.int().default(80),
  owner: z.string().optional(),
  even: z
    .int()
    .refine((value) => value % 2 === 0, 'must be even')
    .optional(),
})
const before = z.object({ address: z.string() })

class Site extends CustomResource<typeof spec> {
  async reconcile() {
    await this.patchStatus({ seen: this.spec.host })
  }
}

const siteKind = createCustomResourceDefinition({
  group: 'class.test',
  version: 'v2',
  kind: 'Site',
  spec,
  versions: {
    v1: olderVersion({
      spec: before,
      next: spec,
      up: ({ address }) => ({ host: address.split(':')[0] ?? '', port: Number(address.split(':')[1]) }),
      down: ({ host, port }) => ({ address: `${host}:${port}` }),
    }),
  },
  mutate({ operation, spec: given, user }) {
    expectTypeOf(given.port).toEqualTypeOf<number>()
    return operation === 'CREATE' ? { ...given, owner: user.username } : undefined
  },
  validate({ spec: { host, port }, old }) {
    expectTypeOf(old?.spec).toEqualTypeOf<z.output<typeof spec> | undefined>()
    if (old?.spec !== undefined && port < old.spec.port) return `spec.port must not fall below ${old.spec.port}`
    return host === 'nowhere' ? 'spec.host is nowhere' : undefined
  },
  create: (options) => new Site(options),
})

type Stored = ApiObject & { spec: Record<string, unknown>; status?: unknown }
const site = (version: string, name: string, given: object): Stored =>
  ({
    apiVersion: `class.test/${version}`,
    kind: 'Site',
    metadata: { name, namespace: 'default' },
    spec: given,
  }) as Stored
const place = (name: string) => ({ name, namespace: 'default' })

it('a class has validate, mutate and older versions, in the process of a test', async () => {
  await using env = await testEnv()
  const running = env.run(siteKind)
  await running.ready
  const sites = env.client.resourceOf<Stored>('class.test/v2', 'Site')
  const old = env.client.resourceOf<Stored>('class.test/v1', 'Site')
  const made = await sites.create(site('v2', 'a', { host: 'here' }))
  expect(made.spec).toEqual({ host: 'here', port: 80, owner: 'system:admin' })
  await expect(sites.create(site('v2', 'b', { host: 'nowhere' }))).rejects.toThrow(
    'admission webhook "validate.sites.class.test" denied the request: spec.host is nowhere',
  )
  await expect(sites.patch(place('a'), { spec: { port: 79 } })).rejects.toThrow('spec.port must not fall below 80')
  await expect(sites.patch(place('a'), { spec: { even: 3 } })).rejects.toThrow('spec.even: must be even')
  expect((await old.get(place('a'))).spec).toEqual({ address: 'here:80' })
  await old.create(site('v1', 'c', { address: 'there:8080' }))
  expect((await sites.get(place('c'))).spec).toMatchObject({ host: 'there', port: 8080 })
  await env.settled()
  expect((await sites.get(place('c'))).status).toMatchObject({ seen: 'there' })
})

it('without these a class has no webhooks', () => {
  const plain = createCustomResourceDefinition({
    group: 'class.test',
    version: 'v1',
    kind: 'Plain',
    spec,
    create: (options) => new Site(options),
  })
  expect(plain.webhooks).toBeUndefined()
  expect(siteKind.webhooks).toBeDefined()
  createCustomResourceDefinition({
    group: 'class.test',
    version: 'v1',
    kind: 'Wrong',
    spec,
    // @ts-expect-error a spec without its host
    mutate: () => ({ port: 1 }),
    // @ts-expect-error a number is no problem's text
    validate: ({ spec: { port } }) => port,
    create: (options) => new Site(options),
  })
})
