import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { builtinGadget, gadgetType, tableOf } from '../discovery/gadget.fixture.ts'
import { OpenApi } from './openapi.ts'
import { openApiResponse } from './response.ts'

const configMaps = builtinGadget({ group: '', kind: 'ConfigMap', resource: 'configmaps' })
const NOW = Date.parse('2030-01-01T00:00:00Z')

describe('documents', () => {
  it('are listed with the hash of their bytes', async () => {
    const openapi = new OpenApi(tableOf(gadgetType(), configMaps))
    const { paths } = JSON.parse((await openapi.index()).body.toString())
    expect(Object.keys(paths)).toEqual(['api/v1', 'apis/facts.example.com/v1'])
    const document = await openapi.document('facts.example.com', 'v1')
    expect(document?.hash).toBe(
      createHash('sha512')
        .update(document?.body ?? '')
        .digest('hex')
        .toUpperCase(),
    )
    expect(paths['apis/facts.example.com/v1'].serverRelativeURL).toBe(
      `/openapi/v3/apis/facts.example.com/v1?hash=${document?.hash}`,
    )
    expect(await openapi.document('facts.example.com', 'v2')).toBeUndefined()
  })

  it('are built anew only when a type of their group and version changes', async () => {
    const types = tableOf(gadgetType(), configMaps)
    const openapi = new OpenApi(types)
    const core = await openapi.document('', 'v1')
    const gadgets = await openapi.document('facts.example.com', 'v1')
    const index = await openapi.index()
    expect(await openapi.index()).toBe(index)
    types.set('facts.example.com', 'gadgets', [gadgetType({ kind: 'Widget' })])
    expect(await openapi.document('', 'v1')).toBe(core)
    expect((await openapi.document('facts.example.com', 'v1'))?.hash).not.toBe(gadgets?.hash)
    expect((await openapi.index()).hash).not.toBe(index.hash)
    types.set('facts.example.com', 'gadgets', [])
    expect(await openapi.document('facts.example.com', 'v1')).toBeUndefined()
  })
})

describe('a response', () => {
  const document = { body: Buffer.from('{}'), hash: 'AB12', path: '/openapi/v3/api/v1' }

  it('to the right hash may be kept for ever', () => {
    expect(openApiResponse({ hash: 'AB12' }, document, NOW)).toStrictEqual({
      status: 200,
      headers: {
        etag: '"AB12"',
        vary: 'Accept',
        'cache-control': 'public, immutable',
        expires: 'Wed, 01 Jan 2031 00:00:00 GMT',
        'content-type': 'application/json',
      },
      body: document.body,
    })
  })

  it('to an old hash points at the present one', () => {
    const answer = openApiResponse({ hash: 'OLD' }, document, NOW)
    expect(answer.status).toBe(301)
    expect(answer.headers.location).toBe('/openapi/v3/api/v1?hash=AB12')
    expect(answer.body).toBeUndefined()
  })

  it('without a hash has an ETag and no promise', () => {
    const answer = openApiResponse({}, document, NOW)
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"AB12"' } })
    expect(answer.headers['cache-control']).toBe('no-cache, private')
  })

  it.each(['"AB12"', 'W/"AB12"', '"X", "AB12"', '*'])('to If-None-Match %s has no body', (ifNoneMatch) => {
    expect(openApiResponse({ ifNoneMatch }, document, NOW)).toMatchObject({ status: 304 })
    expect(openApiResponse({ ifNoneMatch }, document, NOW).body).toBeUndefined()
  })

  it('to another ETag is whole', () => {
    expect(openApiResponse({ ifNoneMatch: '"AB1"' }, document, NOW).status).toBe(200)
  })
})
