import type { ApiObject } from '@homeostat/client'
import { type TestEnv, testEnv } from '@homeostat/testing'
import { expect, it } from 'vitest'
import { applyChildren, type ChildrenOptions, removeForeignChildren } from './apply-children.ts'

/** Stores the inventory in annotations, since a ConfigMap has no status. */
async function parentIn(env: TestEnv, inventory: unknown = []): Promise<ApiObject> {
  const [parent] = await env.apply({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'shop', namespace: 'default' },
  })
  return { ...(parent as ApiObject), status: { inventory } } as ApiObject
}

const map = (name: string | undefined, metadata: object = {}): ApiObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...(name && { name }), ...metadata },
    data: { a: '1' },
  }) as ApiObject

async function applied(env: TestEnv, inventory: unknown, children: readonly ApiObject[], more: object = {}) {
  const records: unknown[] = []
  const options: ChildrenOptions = {
    client: env.client,
    fieldManager: 'colony',
    signal: AbortSignal.timeout(120_000),
    parent: await parentIn(env, inventory),
    children,
    record: async (record) => void records.push(record),
    ...more,
  }
  const result = await applyChildren(options)
  return { ...result, records, options }
}

const ref = (name: string, namespace = 'default') => ({ apiVersion: 'v1', kind: 'ConfigMap', name, namespace })
const find = (env: TestEnv, name: string, namespace = 'default') =>
  env.client.resourceOf('v1', 'ConfigMap').find({ name, namespace })

it('makes children that go with their parent, and writes nothing the second time', async () => {
  await using env = await testEnv()
  const first = await applied(env, [], [map('a'), map('b')])
  expect(first).toMatchObject({ inventory: [ref('a'), ref('b')], problems: [], changed: true, records: [] })
  expect((await find(env, 'a'))?.metadata.ownerReferences).toMatchObject([{ kind: 'ConfigMap', name: 'shop' }])
  const second = await applied(env, first.inventory, [map('a'), map('b')])
  expect(second).toMatchObject({ inventory: [ref('a'), ref('b')], changed: false })
})

it('takes back what was sent as it was read', async () => {
  await using env = await testEnv()
  const first = await applied(env, [], [map('a')])
  const read = (await find(env, 'a')) as ApiObject
  expect(await applied(env, first.inventory, [read])).toMatchObject({ problems: [] })
})

it('prunes what is no longer wanted, and nothing while something cannot be applied', async () => {
  await using env = await testEnv()
  await env.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'theirs', namespace: 'default' } })
  const first = await applied(env, [], [map('a'), map('b')])
  const second = await applied(env, first.inventory, [map('a'), map('theirs')])
  expect(second.problems).toEqual([expect.stringContaining('was made by somebody else')])
  expect(await find(env, 'b')).toBeDefined()
  const third = await applied(env, second.inventory, [map('a')])
  expect(third).toMatchObject({ inventory: [ref('a')], changed: true, problems: [] })
  expect(await find(env, 'b')).toBeUndefined()
  expect(await find(env, 'theirs')).toBeDefined()
})

it('does not prune too much at once, or when it must not', async () => {
  await using env = await testEnv()
  const many = Array.from({ length: 12 }, (_, index) => map(`m${index}`))
  const first = await applied(env, [], many)
  const second = await applied(env, first.inventory, [])
  expect(second.problems).toEqual([expect.stringContaining('allow-prune')])
  expect(second.inventory).toHaveLength(12)
  expect(await applied(env, [ref('m0')], [], { prune: false })).toMatchObject({ problems: [], inventory: [ref('m0')] })
  expect(await find(env, 'm0')).toBeDefined()
})

it('records a child elsewhere before it makes it, and removes it when it is asked to', async () => {
  await using env = await testEnv()
  const { inventory, records, problems, options } = await applied(env, [], [map('far', { namespace: 'kube-public' })])
  expect({ inventory, problems }).toEqual({ inventory: [ref('far', 'kube-public')], problems: [] })
  expect(records).toEqual([[ref('far', 'kube-public')]])
  const parent = { ...options.parent, status: { inventory } } as ApiObject
  expect(await find(env, 'far', 'kube-public')).toBeDefined()
  await removeForeignChildren({ ...options, parent })
  expect(await find(env, 'far', 'kube-public')).toBeUndefined()
})

it('says which kind nobody serves', async () => {
  await using env = await testEnv()
  const child = { apiVersion: 'nobody.example/v1', kind: 'Thing', metadata: { name: 'x' } }
  const { problems } = await applied(env, [], [child])
  expect(problems).toEqual([expect.stringContaining('does not serve nobody.example/v1 Thing')])
})
