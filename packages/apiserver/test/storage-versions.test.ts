import { afterAll, expect, it } from 'vitest'
import { definition, GROUP, version } from './definitions.ts'
import { type Body, DEFINITIONS, serve } from './server.ts'

const server = await serve()
afterAll(() => server.close())
const at = (plural: string, name: string) => `/apis/${GROUP}/${name}/namespaces/default/${plural}`
const revisionOf = (body: Body) => body.metadata.resourceVersion

interface Stored {
  spec: { versions: { name: string; storage: boolean; schema: { openAPIV3Schema: object } }[] }
  status: { storedVersions: string[] }
}

async function change(plural: string, edit: (definition: Stored) => void, subresource = '') {
  const url = `${DEFINITIONS}/${plural}.${GROUP}`
  const { body } = await server.get(url)
  edit(body as unknown as Stored)
  return server.put(url + subresource, body)
}

const storeIn = (name: string) => (definition: Stored) => {
  for (const one of definition.spec.versions) one.storage = one.name === name
}

it('moves objects to another storage version, one write each, until the old one can be taken out', async () => {
  await server.define(definition({ plural: 'moves', versions: [version('v1', { storage: true }), version('v2', {})] }))
  const { body } = await server.post(at('moves', 'v1'), {
    apiVersion: `${GROUP}/v1`,
    kind: 'Move',
    metadata: { name: 'm' },
  })
  const switched = await change('moves', storeIn('v2'))
  expect(switched.body).toMatchObject({ status: { storedVersions: ['v1', 'v2'] } })
  const dropFirst = (definition: Stored) => void definition.spec.versions.shift()
  expect((await change('moves', dropFirst)).body.message).toContain('status.storedVersions[0]: Invalid value: "v1"')

  const read = await server.get(`${at('moves', 'v1')}/m`)
  expect(revisionOf(read.body)).toBe(revisionOf(body))
  const written = await server.put(`${at('moves', 'v1')}/m`, read.body)
  expect(revisionOf(written.body)).not.toBe(revisionOf(body))
  const again = await server.put(`${at('moves', 'v1')}/m`, written.body)
  expect(revisionOf(again.body)).toBe(revisionOf(written.body))

  const told = await change('moves', ({ status }) => Object.assign(status, { storedVersions: ['v2'] }), '/status')
  expect(told.body).toMatchObject({ status: { storedVersions: ['v2'] } })
  expect((await change('moves', dropFirst)).status).toBe(200)
  expect((await server.get(`${at('moves', 'v2')}/m`)).body).toMatchObject({ apiVersion: `${GROUP}/v2` })
})

it('stores a default that came later with the next write, even with one that changes nothing', async () => {
  await server.define(definition({ plural: 'lates' }))
  const { body } = await server.post(at('lates', 'v1'), {
    apiVersion: `${GROUP}/v1`,
    kind: 'Late',
    metadata: { name: 'l' },
    spec: {},
  })
  await change('lates', ({ spec }) => {
    for (const { schema } of spec.versions) {
      const late = { type: 'string', default: 'yes' }
      schema.openAPIV3Schema = {
        type: 'object',
        properties: { spec: { type: 'object', properties: { late } } },
      }
    }
  })
  const dry = await server.patch(`${at('lates', 'v1')}/l?dryRun=All`, {})
  expect(revisionOf(dry.body)).toBe(revisionOf(body))
  const first = await server.patch(`${at('lates', 'v1')}/l`, {})
  expect(first.body).toMatchObject({ spec: { late: 'yes' }, metadata: { generation: 1 } })
  expect(revisionOf(first.body)).not.toBe(revisionOf(body))
  expect(revisionOf((await server.patch(`${at('lates', 'v1')}/l`, {})).body)).toBe(revisionOf(first.body))
})

it('takes what a status write says of stored versions, and never less than the one that stores', async () => {
  await server.define(definition({ plural: 'claims' }))
  const say = (storedVersions: string[] | undefined) =>
    change('claims', ({ status }) => Object.assign(status, { storedVersions }), '/status?dryRun=All')
  expect((await say(['zz', 'v1'])).body).toMatchObject({ status: { storedVersions: ['zz', 'v1'] } })
  expect((await say([])).body).toMatchObject({ status: { storedVersions: ['v1'] } })
  expect((await say(undefined)).body).toMatchObject({ status: { storedVersions: ['v1'] } })
})
