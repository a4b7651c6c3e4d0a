// Objects by resource and condition in /metrics.

import { expect, it } from 'vitest'
import { definition } from './definitions.ts'
import { serveForTest } from './server.ts'

const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets'

it('counts objects by resource and by condition, and follows their changes', async () => {
  const server = await serveForTest()
  await server.define(definition({ version: { subresources: { status: {} } } }))
  const lines = async (name: string) =>
    (await server.get('/metrics')).text
      .split('\n')
      .filter((line) => line.startsWith(name) && line.includes('"widgets"'))
  expect(await lines('homeostat_resources{')).toEqual([])
  for (const name of ['a', 'b', 'c'])
    await server.post(WIDGETS, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, spec: {} })
  const ready = (name: string, status: string, type = 'Ready') =>
    server.patch(`${WIDGETS}/${name}/status`, { status: { conditions: [{ type, status }] } })
  await ready('a', 'True')
  await ready('b', 'False')
  expect(await lines('homeostat_resources{')).toEqual(['homeostat_resources{group="example.com",resource="widgets"} 3'])
  const counted = (condition: string, status: string, count: number) =>
    `homeostat_resource_conditions{group="example.com",resource="widgets",condition="${condition}",status="${status}"} ${count}`
  expect(await lines('homeostat_resource_conditions{')).toEqual([
    counted('Ready', 'True', 1),
    counted('Ready', 'False', 1),
  ])
  await ready('b', 'True')
  await server.delete(`${WIDGETS}/c`)
  expect(await lines('homeostat_resources{')).toEqual(['homeostat_resources{group="example.com",resource="widgets"} 2'])
  expect(await lines('homeostat_resource_conditions{')).toEqual([counted('Ready', 'True', 2)])
})

it('bounds the names of conditions, and takes no others than their three statuses', async () => {
  const server = await serveForTest()
  await server.define(definition({ version: { subresources: { status: {} } } }))
  await server.post(WIDGETS, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: {} })
  const conditions = Array.from({ length: 40 }, (_, i) => ({ type: `T${i}`, status: 'True' }))
  await server.patch(`${WIDGETS}/a/status`, { status: { conditions: [{ type: 'Odd', status: 'x' }, ...conditions] } })
  const { text } = await server.get('/metrics')
  expect(text.match(/^homeostat_resource_conditions\{.*"widgets".*$/gm)).toHaveLength(21)
  expect(text).toContain('condition="other",status="True"} 20')
  expect(text).not.toContain('Odd')
})
