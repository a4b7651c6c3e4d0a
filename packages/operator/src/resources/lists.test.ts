import { eventually } from '@homeostat/base/testing/eventually'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { GROUP, stage } from './class-style.fixture.ts'
import { CustomResource } from './custom-resource.ts'
import { createCustomResourceDefinition } from './custom-resource-definition.ts'
import { ResourceService } from './resource-service.ts'
import { servicesOf } from './services.ts'

const spec = z.object({})
const labels = { team: 'x' }

describe('a list', () => {
  it('has the objects with the labels, and an object that appears or goes brings a reconcile', async () => {
    const seen: string[][] = []
    class Lister extends CustomResource<typeof spec> {
      async reconcile() {
        const resources = this.services.get(ResourceService)
        const found = await resources.list({ apiVersion: 'v1', kind: 'ConfigMap' }, { labels })
        seen.push(found.map(({ metadata }) => metadata.name ?? '').sort())
      }
    }
    const lister = createCustomResourceDefinition({
      group: GROUP,
      version: 'v1',
      kind: 'Lister',
      spec,
      create: (options) => new Lister(options),
    })
    const { operate, create, merge, delete: remove } = await stage()
    const { running } = await operate([lister])
    await create('ConfigMap', 'other')
    await create('Lister', 'a')
    await eventually(() => seen.length > 0)
    expect(seen).toEqual([[]])
    await merge('ConfigMap', 'other', { metadata: { labels } })
    await eventually(() => seen.at(-1)?.join() === 'other')
    await remove('ConfigMap', 'other')
    await eventually(() => seen.at(-1)?.join() === '')
    const resources = servicesOf(await running.cluster).get(ResourceService)
    await expect(resources.list({ apiVersion: 'v1', kind: 'ConfigMap' })).rejects.toThrow('belongs to a reconcile')
  })

  it('of a kind that is not served is empty, and brings a reconcile when the kind is served', async () => {
    const seen: number[] = []
    class Early extends CustomResource<typeof spec> {
      async reconcile() {
        const late = { apiVersion: `${GROUP}/v1`, kind: 'Late' }
        seen.push((await this.services.get(ResourceService).list(late)).length)
      }
    }
    const kind = (name: string, create: (options: ConstructorParameters<typeof Early>[0]) => Early) =>
      createCustomResourceDefinition({ group: GROUP, version: 'v1', kind: name, spec, create })
    const { operate, create } = await stage()
    await operate([kind('Early', (options) => new Early(options))])
    await create('Early', 'a')
    await eventually(() => seen.length > 0)
    expect(seen).toEqual([0])
    await operate([kind('Late', (options) => new Early(options))])
    await create('Late', 'one')
    await eventually(() => seen.includes(1))
  })
})
