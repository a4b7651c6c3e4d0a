// The types that the client knows, as a program sees them. What does not compile is the test; `tsc` runs it.

import type { Client, ObjectOf } from '@homeostat/client'
import type { DeploymentSpec } from '@homeostat/client/kinds/apps-v1'
import { expectTypeOf, test } from 'vitest'

interface Site {
  apiVersion: 'ex.io/v1'
  kind: 'Site'
  metadata: { name?: string; namespace?: string }
  spec: { host: string }
}

declare module '@homeostat/client' {
  interface KnownKinds {
    'ex.io/v1/Site': Site
  }
}

type Deployment = ObjectOf<'apps/v1', 'Deployment'>

test('a built-in kind has its type, down to the containers', () => {
  expectTypeOf<Deployment['kind']>().toEqualTypeOf<'Deployment'>()
  expectTypeOf<Deployment['spec']>().toEqualTypeOf<DeploymentSpec | undefined>()
  expectTypeOf<Required<DeploymentSpec>['template']['metadata']>().not.toBeAny()
  type Pod = NonNullable<ObjectOf<'v1', 'Pod'>['spec']>
  expectTypeOf<Pod['containers'][number]['name']>().toEqualTypeOf<string>()
  expectTypeOf<NonNullable<Pod['restartPolicy']>>().toEqualTypeOf<'Always' | 'Never' | 'OnFailure'>()
})

test("a program's own kind has the type that it declared", () => {
  expectTypeOf<ObjectOf<'ex.io/v1', 'Site'>>().toEqualTypeOf<Site>()
})

test('a kind that nobody described has what all objects have', () => {
  expectTypeOf<ObjectOf<'ex.io/v1', 'Other'>['spec']>().toEqualTypeOf<{ [field: string]: unknown } | undefined>()
})

test('a wrong field, value or kind of value does not compile', () => {
  const wrong = async (client: Client) => {
    const deployments = client.resource('apps/v1', 'Deployment')
    const { spec, status } = await deployments.get({ name: 'a', namespace: 'b' })
    const replicas: number | undefined = spec?.replicas
    // @ts-expect-error: there is no such field
    spec?.replica
    // @ts-expect-error: conditions are a list
    status?.conditions?.type
    // @ts-expect-error: replicas are a number
    await deployments.create({ spec: { replicas: '3' } })
    // @ts-expect-error: there is no such strategy
    await deployments.apply({ spec: { strategy: { type: 'Replace' } } }, { fieldManager: 'me' })
    // @ts-expect-error: an apply needs a manager
    await deployments.apply({ spec: { replicas } }, {})
    // @ts-expect-error: a Service is no Deployment
    await client.resource('v1', 'Service').update(await deployments.get({ name: 'a' }))
    // @ts-expect-error: hosts are text
    await client.resource('ex.io/v1', 'Site').create({ spec: { host: 1 } })
  }
  expectTypeOf(wrong).toBeFunction()
})

test('what is sent need not be typed as narrowly as what is read', () => {
  const loose = async (client: Client, namespace: string | undefined) => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace } }
    await client.resource('v1', 'ConfigMap').create({ ...object, data: { a: 'b' } })
  }
  expectTypeOf(loose).toBeFunction()
})
