// Type tests: what must compile and what must not. `npm run check` fails when an expectation is wrong.

import type { LooseObject } from '@homeostat/client'
import type { Condition } from '@homeostat/meta'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { SecretService } from '../secrets/secret-service.ts'
import { CustomResource, type CustomResourceOptions } from './custom-resource.ts'
import { createCustomResourceDefinition } from './custom-resource-definition.ts'
import { ResourceReference } from './resource-reference.ts'
import { ResourceService } from './resource-service.ts'
import type { SubresourceResult } from './subresources.ts'

interface Widget {
  apiVersion: 'types.test/v1'
  kind: 'Widget'
  metadata: LooseObject['metadata']
  spec: { size: number; colours?: string[] }
  status?: { phase: 'Made' | 'Broken' }
}

declare module '@homeostat/client' {
  interface KnownKinds {
    'types.test/v1/Widget': Widget
  }
}

const spec = z.object({ hostname: z.string(), replicas: z.number().default(1), since: z.coerce.date().optional() })
const status = z.object({ url: z.string(), size: z.number().optional() })

class ArrowForm extends CustomResource<typeof spec> {
  reconcile = async () => {
    expectTypeOf(this.spec.replicas).toEqualTypeOf<number>()
  }
}

class MethodForm extends CustomResource<typeof spec, typeof status> {
  readonly widget = this.own('types.test/v1', 'Widget')
  readonly deployment = this.own('apps/v1', 'Deployment')
  readonly part = this.own('nobody.test/v1', 'ConfigMapOfNobody', 'other')

  async reconcile() {
    expectTypeOf(this.namespace).toEqualTypeOf<string>()
    expectTypeOf(this.metadata.namespace).toEqualTypeOf<string>()
    expectTypeOf(this.spec).toEqualTypeOf<{ hostname: string; replicas: number; since?: Date | undefined }>()
    expectTypeOf(this.status?.url).toEqualTypeOf<string | undefined>()
    expectTypeOf(this.status?.conditions).toEqualTypeOf<Condition[] | undefined>()
    await this.patchStatus({ url: 'https://x', size: undefined })
    // @ts-expect-error a field that the status does not have
    await this.patchStatus({ link: 'https://x' })
    // @ts-expect-error a field of another type
    await this.patchStatus({ url: 7 })
    // @ts-expect-error a field that the spec does not have
    this.spec.hostnames
    await this.widget.ensure({ spec: { size: 1 } })
    // @ts-expect-error a field that the kind does not have
    await this.widget.ensure({ spec: { sizes: 1 } })
    // @ts-expect-error a part that the kind does not have
    await this.widget.ensure({ specs: {} })
    // @ts-expect-error the status is not the operator's to apply
    await this.widget.ensure({ status: { phase: 'Made' } })
    expectTypeOf(this.widget.status).toEqualTypeOf<Widget['status']>()
    expectTypeOf(this.widget.data).toEqualTypeOf<undefined>()
    expectTypeOf(this.deployment.status?.readyReplicas).toEqualTypeOf<number | undefined>()
    // @ts-expect-error a field that Deployments do not have
    await this.deployment.ensure({ spec: { replica: 1, selector: {}, template: {} } })
    // @ts-expect-error a field that containers do not have
    await this.deployment.ensure({ spec: { template: { spec: { containers: [{ name: 'a', imag: 'b' }] } } } })
    await this.part.ensure({ data: { any: 'thing' } })
    // @ts-expect-error a misspelt kind of a group that is known
    this.own('apps/v1', 'Deploymnt')
    const resources = this.services.get(ResourceService)
    // @ts-expect-error the same through the service
    resources.get({ apiVersion: 'v1', kind: 'ConfigMaps', name: 'a', namespace: 'default' })
    // @ts-expect-error nodes are in no namespace
    resources.get({ apiVersion: 'v1', kind: 'Node', name: 'a', namespace: 'default' })
    return { requeueAfter: '10m' }
  }

  override async cleanup() {}
}

class ClusterForm extends CustomResource<typeof spec, undefined, 'Cluster'> {
  async reconcile() {
    expectTypeOf(this.namespace).toEqualTypeOf<undefined>()
    await this.patchStatus({ anything: true })
  }
}

// @ts-expect-error a class has to say what it does
class Idle extends CustomResource<typeof spec> {}

class WrongResult extends CustomResource<typeof spec> {
  // @ts-expect-error a result has no such field
  async reconcile() {
    return { requeueAfter: new Date() }
  }
}

const common = { group: 'types.test', version: 'v1', kind: 'Thing', spec }

class MisspeltForm extends CustomResource<typeof spec> {
  async reconcile() {}
  // @ts-expect-error it is cleanup()
  async cleanUp() {}
}

class NumberForm extends CustomResource<typeof spec> {
  // @ts-expect-error a number has no unit
  async reconcile() {
    return { requeueAfter: 10 }
  }
}

describe('the types of the class style', () => {
  it('take no number for a duration', () => {
    expect([NumberForm, MisspeltForm]).toBeDefined()
  })

  it('take reconcile as a method and as an arrow function', () => {
    createCustomResourceDefinition({ ...common, create: (options) => new ArrowForm(options) })
    createCustomResourceDefinition({ ...common, status, create: (options) => new MethodForm(options) })
  })

  it('take the class of the schemas and the scope alone', () => {
    createCustomResourceDefinition({ ...common, scope: 'Cluster', create: (options) => new ClusterForm(options) })
    // @ts-expect-error a class for objects without a namespace
    createCustomResourceDefinition({ ...common, create: (options) => new ClusterForm(options) })
    const other = z.object({ port: z.number() })
    // @ts-expect-error a class for another spec
    createCustomResourceDefinition({ ...common, spec: other, create: (options) => new ArrowForm(options) })
    // @ts-expect-error a field that there is not
    createCustomResourceDefinition({ ...common, name: 'x', create: (options) => new ArrowForm(options) })
    void [Idle, WrongResult]
  })

  it('know the kinds of handles by their apiVersion and kind', () => {
    const look = (service: ResourceService, options: CustomResourceOptions<typeof spec>) => {
      expectTypeOf(options.namespace).toEqualTypeOf<string>()
      const widget = service.get({ apiVersion: 'types.test/v1', kind: 'Widget', name: 'a', namespace: 'b' })
      expectTypeOf(widget.spec).toEqualTypeOf<Widget['spec'] | undefined>()
      // @ts-expect-error a field that the kind does not have
      widget.spec?.length
      // @ts-expect-error a value of another type
      void widget.patch({ spec: { size: 'large' } })
      void widget.patch({ apiVersion: 'types.test/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } })
      const typed = new ResourceReference<Widget>()
      typed.current = widget
      // @ts-expect-error a handle on another kind
      typed.current = service.get({ apiVersion: 'v1', kind: 'Unknown', name: 'a', namespace: 'b' })
      // @ts-expect-error an event that there is not
      typed.on('changedMetadate', () => {})
    }
    void look
  })

  it('let a plain reference take any handle and look at any field', () => {
    const look = (service: ResourceService): SubresourceResult => {
      const reference = new ResourceReference()
      reference.current = service.get({ apiVersion: 'types.test/v1', kind: 'Widget', name: 'a', namespace: 'b' })
      reference.current = service.get({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'a', namespace: 'b' })
      const { current } = reference
      const ready = current?.status?.conditions?.find((c) => c.type === 'Ready' && c.status === 'True')
      return { ready: ready !== undefined && current?.status?.readyReplicas === current?.status?.replicas }
    }
    void look
  })

  it('know the values of a Secret by its schema', () => {
    const look = async (secrets: SecretService) => {
      const schema = z.object({ password: z.string(), port: z.coerce.number<string>() })
      const name = { name: 'a', namespace: 'b' }
      expectTypeOf(secrets.get({ ...name, schema }).current.value).toEqualTypeOf<
        { password: string; port: number } | undefined
      >()
      const { value } = await secrets.ensure({ ...name, schema, generator: () => ({ password: 'x', port: '1' }) })
      expectTypeOf(value.port).toEqualTypeOf<number>()
      // @ts-expect-error the generator forgot a value
      await secrets.ensure({ ...name, schema, generator: () => ({ password: 'x' }) })
      // @ts-expect-error values are text
      await secrets.get(name).current.patch({ data: { port: 1 } })
    }
    void look
    void SecretService
  })
})
