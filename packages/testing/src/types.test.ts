// The types of objects in a test: each line marked as an error must be one, or `npm run check` fails.

import type { Client, LooseObject } from '@homeostat/client'
import { CustomResource, createCustomResourceDefinition, operator } from '@homeostat/operator'
import { expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { type TestEnv, testEnv } from './index.ts'

const spec = z.object({ host: z.string(), port: z.int().default(80) })
const status = z.object({ url: z.string() })
const site = operator('ex.io/v1/Site', { spec, status }, () => [])

class Web extends CustomResource<typeof spec> {
  async reconcile() {}
}
const web = createCustomResourceDefinition({
  group: 'ex.io',
  version: 'v1',
  kind: 'Web',
  spec,
  create: (options) => new Web(options),
})

const at = { name: 'a', namespace: 'default' }

/** Compiled, never run. */
async function authors() {
  const env = await testEnv({ definitions: [site, web] })
  const found = await env.until({ apiVersion: 'ex.io/v1', kind: 'Site', ...at }, (one) => one.status?.url !== undefined)
  expectTypeOf(found.spec).toEqualTypeOf<{ host: string; port?: number | undefined }>()
  expectTypeOf(found.status?.url).toEqualTypeOf<string | undefined>()
  await env.until({ ...site, ...at }, ({ spec: { host } }) => host === 'a')
  // @ts-expect-error no field of the status
  await env.until({ ...site, ...at }, (one) => one.status?.link === '')
  await env.until({ apiVersion: 'ex.io/v1', kind: 'Web', ...at }, ({ spec: { port } }) => port === 80)

  const sites = env.client.resource('ex.io/v1', 'Site')
  await sites.create({ metadata: at, spec: { host: 'a' } })
  // @ts-expect-error no field of the spec
  await sites.create({ metadata: at, spec: { hots: 'a' } })
  expectTypeOf((await sites.get(at)).status?.url).toEqualTypeOf<string | undefined>()

  // Built-in and unknown kinds are typed as by the plain client.
  const deployment = await env.until({ apiVersion: 'apps/v1', kind: 'Deployment', ...at }, () => true)
  expectTypeOf(deployment.status?.readyReplicas).toEqualTypeOf<number | undefined>()
  expectTypeOf((await env.client.resource('v1', 'ConfigMap').get(at)).data).toEqualTypeOf<
    Record<string, string> | undefined
  >()
  expectTypeOf(
    await env.until({ apiVersion: 'other.io/v1', kind: 'X', ...at }, () => true),
  ).toEqualTypeOf<LooseObject>()
  // @ts-expect-error a misspelt kind of a group that is known
  env.client.resource('apps/v1', 'Deploymnt')

  expectTypeOf(env.client).toExtend<Client>()
  // Helpers accept any environment as TestEnv.
  const any: TestEnv = env
  return any
}

it('knows the schemas of the definitions that it was given', () => {
  expect(authors).toBeDefined()
  expect([site.apiVersion, site.kind, web.apiVersion, web.kind]).toEqual(['ex.io/v1', 'Site', 'ex.io/v1', 'Web'])
})
