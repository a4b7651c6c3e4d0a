import { afterAll, expect, it } from 'vitest'
import type { Body } from './body.ts'
import { definition, GROUP, version } from './definitions.ts'
import { DEFINITIONS, serve } from './server.ts'

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

/** A schema whose spec has the texts a, b and c, some with a default. */
const spec = (defaults: Record<string, string>) => {
  const text = (name: string) => [name, { type: 'string', ...(name in defaults && { default: defaults[name] }) }]
  const properties = Object.fromEntries(['a', 'b', 'c'].map(text))
  return { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } }
}

it('reads an object with the defaults of the stored version, and not with those of the version asked for', async () => {
  const versions = [
    version('v1', { storage: true, schema: spec({ a: 'A1' }) }),
    version('v2', { schema: spec({ b: 'B2' }) }),
  ]
  await server.define(definition({ plural: 'reads', versions }))
  const object = (name: string) => ({ kind: 'Read', metadata: { name }, spec: {} })
  await server.post(at('reads', 'v1'), { ...object('x'), apiVersion: `${GROUP}/v1` })
  expect((await server.get(`${at('reads', 'v2')}/x`)).body.spec).toEqual({ a: 'A1' })
  const made = await server.post(at('reads', 'v2'), { ...object('y'), apiVersion: `${GROUP}/v2` })
  expect(made.body.spec).toEqual({ a: 'A1', b: 'B2' })
})

it('stores and renews objects by the schema of the stored version though it is not served', async () => {
  const versions = [
    version('v1', { schema: spec({ a: 'A1' }) }),
    version('v2', { storage: true, served: false, schema: spec({ b: 'B2' }) }),
  ]
  await server.define(definition({ plural: 'hides', versions }))
  const object = { apiVersion: `${GROUP}/v1`, kind: 'Hide', metadata: { name: 'x' }, spec: {} }
  expect((await server.post(at('hides', 'v1'), object)).body.spec).toEqual({ a: 'A1', b: 'B2' })
  await change('hides', ({ spec: { versions } }) => {
    for (const one of versions) if (one.name === 'v2') one.schema = spec({ c: 'C2' })
  })
  const renewed = await server.until(`${at('hides', 'v1')}/x`, ({ spec }) => spec.c !== undefined)
  expect(renewed.spec).toEqual({ a: 'A1', b: 'B2', c: 'C2' })
})

it('forgets a default that is taken back, and finds again what was hidden, as long as nobody wrote', async () => {
  const schema = (defaults: Record<string, string>) => (definition: Stored) => {
    for (const one of definition.spec.versions) one.schema = spec(defaults)
  }
  await server.define(definition({ plural: 'backs', versions: [version('v1', { storage: true, schema: spec({}) })] }))
  const path = `${at('backs', 'v1')}/x`
  const object = { apiVersion: `${GROUP}/v1`, kind: 'Back', metadata: { name: 'x' }, spec: { b: 'mine' } }
  await server.post(at('backs', 'v1'), object)
  await change('backs', schema({ a: 'A' }))
  await server.until(path, ({ spec }) => spec.a === 'A')
  const without = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } }
  await change('backs', (definition) => {
    for (const one of definition.spec.versions) one.schema = without
  })
  await server.until(path, ({ spec }) => Object.keys(spec).length === 0)
  await change('backs', schema({}))
  expect((await server.until(path, ({ spec }) => spec.b !== undefined)).spec).toEqual({ b: 'mine' })
})
