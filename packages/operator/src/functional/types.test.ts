// Type tests of author code: each line marked as an error must be one, or `npm run check` fails.

import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { controller } from '../controller.ts'
import { waiting } from '../runtime/outcome.ts'
import { base64 } from '../runtime/secret-text.ts'
import { operator } from './operator.ts'

const spec = z.object({
  host: z.string(),
  port: z.number().default(80),
  since: z.string().transform((text) => text.length),
})
const status = z.object({ url: z.string(), ready: z.number().optional() })

/** Compiled, never run. */
function authors() {
  const site = operator('ex.io/v1/Site', { spec, status }, (c) => {
    expectTypeOf(c.spec).toEqualTypeOf<{ host: string; port: number; since: number }>()
    expectTypeOf(c.namespace).toEqualTypeOf<string>()
    expectTypeOf(c.metadata.uid).toEqualTypeOf<string>()
    expectTypeOf(c.status.url).toEqualTypeOf<string | undefined>()
    // @ts-expect-error no such field
    c.spec.hots
    return { status: { url: c.spec.host } }
  })

  operator('ex.io/v1/Site', { spec, scope: 'Cluster' }, (c) => {
    expectTypeOf(c.metadata.namespace).toEqualTypeOf<undefined>()
    // @ts-expect-error objects of the kind are in no namespace
    c.namespace
  })

  // What a function may return.
  operator('ex.io/v1/Site', { spec, status }, () => [])
  operator('ex.io/v1/Site', { spec, status }, async () => {})
  operator('ex.io/v1/Site', { spec, status }, ({ child, spec: { port } }) => [
    port > 80 && child('v1', 'ConfigMap', { data: { a: 'b' } }),
    undefined,
  ])
  operator('ex.io/v1/Site', { spec, timeout: '1m30s', resync: { hours: 6 } }, () => ({ requeueAfter: '10s' }))
  operator('ex.io/v1/Site', { spec }, async ({ requeueAfter }) => requeueAfter({ minutes: 10 }))
  // @ts-expect-error a number has no unit
  operator('ex.io/v1/Site', { spec }, () => ({ requeueAfter: 10 }))
  // @ts-expect-error no duration
  operator('ex.io/v1/Site', { spec }, async () => ({ requeueAfter: '10 minutes' }))
  // @ts-expect-error a number has no unit
  operator('ex.io/v1/Site', { spec }, async ({ requeueAfter }) => requeueAfter(10))
  // @ts-expect-error a number has no unit
  operator('ex.io/v1/Site', { spec, timeout: 10 }, () => [])
  // @ts-expect-error no duration
  operator('ex.io/v1/Site', { spec, resync: '6 hours' }, () => [])
  // @ts-expect-error a number has no unit
  waiting('NoQuota', 'no quota left', { retryAfter: 10 })
  // @ts-expect-error a status of the wrong type
  operator('ex.io/v1/Site', { spec, status }, () => ({ status: { url: 5 } }))
  // @ts-expect-error not a child
  operator('ex.io/v1/Site', { spec, status }, () => [{ apiVersion: 'v1', kind: 'ConfigMap' }])
  // @ts-expect-error not what a function returns
  operator('ex.io/v1/Site', { spec, status }, () => ({ kids: [] }))

  // Unknown kinds, and namespaces for cluster-scoped kinds.
  operator('ex.io/v1/Site', { spec }, ({ child }) => {
    child('nobody.test/v1', 'Whatever', { spec: {} }, { namespace: 'a' })
    child('v1', 'Namespace', {})
    child('v1', 'Secret', { stringData: { password: 'plain' }, data: { key: base64('plain') } })
    // @ts-expect-error data of a Secret is base64: plain text goes into stringData
    child('v1', 'Secret', { data: { password: 'plain' } })
    // @ts-expect-error a misspelt kind of a group that is known
    child('apps/v1', 'Deploymnt', {})
    // @ts-expect-error a namespace is in none
    child('v1', 'Namespace', {}, { namespace: 'a' })
    // @ts-expect-error the same in the metadata
    child('rbac.authorization.k8s.io/v1', 'ClusterRole', { metadata: { namespace: 'a' } })
  })
  // @ts-expect-error a misspelt kind of a group that is known
  controller('v1', 'Pods', async () => {})
  // @ts-expect-error a misspelt way to clean up
  controller('v1', 'Pod', { reconcile: async () => {}, cleanUp: async () => {} })
  // @ts-expect-error a misspelt way to clean up
  operator('ex.io/v1/Site', { spec }, () => [], { finalise: () => {} })

  // For an invalid kind the compiler shows what to write, not `never`.
  type Wanted<T extends string> = Parameters<typeof operator<T, typeof spec>>[0]
  expectTypeOf<Wanted<'ex.io/Site'>>().toEqualTypeOf<'a kind is written as group/version/Kind, e.g. ex.io/v1/Site'>()
  expectTypeOf<Wanted<'ex/v1/Site'>>().toEqualTypeOf<'a group is a domain of yours, e.g. ex.io'>()
  expectTypeOf<Wanted<'ex.io/v1/Site'>>().toEqualTypeOf<'ex.io/v1/Site'>()

  // Invalid kinds.
  // @ts-expect-error no version
  operator('ex.io/Site', { spec }, () => {})
  // @ts-expect-error no domain
  operator('ex/v1/Site', { spec }, () => {})
  // @ts-expect-error a version has a v
  operator('ex.io/1/Site', { spec }, () => {})
  // @ts-expect-error a kind has a capital letter
  operator('ex.io/v1/site', { spec }, () => {})
  // @ts-expect-error too much
  operator('ex.io/v1/Site/more', { spec }, () => {})
  // @ts-expect-error a spec is a Zod object
  operator('ex.io/v1/Site', { spec: z.string() }, () => {})

  operator(
    'ex.io/v1/Db',
    { spec: z.object({ site: z.string() }), status: z.object({ ok: z.boolean() }) },
    async (c) => {
      const needed = await c.needs(site, c.spec.site)
      expectTypeOf(needed.spec.since).toEqualTypeOf<number>()
      expectTypeOf(needed.status.url).toEqualTypeOf<string | undefined>()
      const deployment = await c.needs('apps/v1', 'Deployment', 'web', { namespace: 'other' })
      expectTypeOf(deployment.kind).toExtend<string>()
      const creds = await c.secret(`${c.name}-creds`, z.object({ password: z.string() }), () => ({ password: 'x' }))
      expectTypeOf(creds.value).toEqualTypeOf<{ password: string }>()
      // @ts-expect-error a generator makes what the schema wants
      await c.secret('x', z.object({ password: z.string() }), () => ({ passwort: 'x' }))
      // @ts-expect-error needs a name
      await c.needs(site)
      const cluster = c.child(
        'apps/v1',
        'Deployment',
        { spec: { replicas: 2 } },
        { readyWhen: (d) => d.status?.readyReplicas === d.spec?.replicas },
      )
      expectTypeOf(await cluster.applied()).toExtend<{ apiVersion: string }>()
      // @ts-expect-error no such option
      c.child('v1', 'Service', {}, { readyWen: () => true })
      return { children: [creds, cluster], status: { ok: true }, requeueAfter: '1h' }
    },
    { finalize: (c) => c.log.info({}, c.spec.site) },
  )
}

describe('types', () => {
  it('are checked by the compiler', () => {
    expect(authors).toBeTypeOf('function')
  })
})
