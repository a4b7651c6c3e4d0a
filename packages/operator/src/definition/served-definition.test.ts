// Definitions on a real server: golden schemas are accepted, columns are shown, descriptions appear in OpenAPI.

import { readdirSync, readFileSync } from 'node:fs'
import type { Client } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import { k8s } from '@homeostat/schema/zod'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startTestServer, type TestServer } from '../testing/server.fixture.ts'
import { definitionManifest } from './definition-manifest.ts'
import { installDefinition } from './install-definition.ts'

let server: TestServer
let client: Client

beforeAll(async () => {
  server = await startTestServer()
  client = server.client
})

afterAll(() => server.close())

const folder = new URL('../../../schema/test/zod/golden/', import.meta.url)
const golden = readdirSync(folder).filter((name) => name.endsWith('.json'))

it('every golden schema can be installed, and a restart leaves it alone', async () => {
  expect(golden.length).toBeGreaterThan(45)
  for (const [index, name] of golden.entries()) {
    const made = JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
    const manifest = definitionManifest({
      group: 'golden.test',
      version: 'v1',
      kind: `Row${index}x`,
      spec: z.object({}),
    })
    const [version] = manifest.spec.versions
    if (version === undefined) throw new Error('no version')
    version.schema = { openAPIV3Schema: { type: 'object', properties: { spec: made.schema } } }
    version.additionalPrinterColumns = made.columns
    version.selectableFields = made.selectableFields
    expect(await installDefinition(client, manifest), name).toMatchObject({ written: 'created' })
    expect(await installDefinition(client, manifest), name).toMatchObject({ written: 'nothing' })
  }
})

describe('a definition on the server', () => {
  const spec = z.object({
    host: z.string().describe('Where the site is found.').meta({ column: true, selectable: true }),
    size: z
      .enum(['S', 'M'])
      .default('S')
      .meta({ column: { name: 'Size', priority: 1 } }),
    min: z.int().default(1),
    max: z.int().default(9),
    ports: k8s.listMap('name', z.object({ name: z.string(), port: z.int() })).default([]),
  })
  const rules = spec.check(
    k8s.rule('min must not be above max', (site) => site.min <= site.max, 'self.min <= self.max'),
  )
  const manifest = definitionManifest({ group: 'served.test', version: 'v1', kind: 'Site', spec: rules })
  const sites = () => client.resourceOf('served.test/v1', 'Site')
  const named = (name: string, fields: object) => ({ metadata: { name, namespace: 'default' }, spec: fields })

  beforeAll(async () => {
    await installDefinition(client, manifest)
  })

  it('fills in defaults and drops what it does not know', async () => {
    const made = await sites().create(named('filled', { host: 'a.example', other: 1 }))
    expect(made).toMatchObject({ spec: { host: 'a.example', size: 'S', min: 1, max: 9, ports: [] } })
    expect(made).not.toHaveProperty('spec.other')
  })

  it('refuses what Zod refuses', async () => {
    const error = await sites()
      .create(named('refused', { host: 1, size: 'L' }))
      .catch((reason: unknown) => reason)
    expect(isStatusError(error, 'Invalid')).toBe(true)
    expect(String(error)).toMatch(/spec\.host.*string/)
  })

  it('can be selected by a marked field', async () => {
    await sites().create(named('selected', { host: 'b.example' }))
    const { items } = await sites().list({ namespace: 'default', fieldSelector: 'spec.host=b.example' })
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['selected'])
  })

  it('shows its columns', async () => {
    await sites().create(named('shown', { host: 'c.example' }))
    const table = await client.requestJson({
      method: 'GET',
      path: '/apis/served.test/v1/namespaces/default/sites/shown',
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    })
    expect(table).toMatchObject({
      columnDefinitions: [
        { name: 'Name' },
        { name: 'Host', description: 'Where the site is found.' },
        { name: 'Size', priority: 1 },
        { name: 'Ready' },
        { name: 'Age' },
      ],
      rows: [{ cells: ['shown', 'c.example', 'S', null, expect.anything()] }],
    })
  })

  it('is explained in the words of the schema', async () => {
    const document = await client.requestJson({ method: 'GET', path: '/openapi/v3/apis/served.test/v1' })
    expect(JSON.stringify(document)).toContain('Where the site is found.')
    expect(JSON.stringify(document)).toContain('What the condition is about')
  })

  it('keeps rules, and the server checks by them', async () => {
    const answer = await client.request({
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(definitionManifest({ group: 'served.test', version: 'v1', kind: 'Other', spec: rules })),
    })
    expect([answer.status, answer.header('warning')]).toEqual([201, undefined])
    await expect(sites().create(named('lax', { host: 'd.example', min: 5, max: 1 }))).rejects.toThrow('min')
  })
})
