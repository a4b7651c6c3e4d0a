import { afterAll, describe, expect, it } from 'vitest'
import { CONFIG_MAPS, GROUP, planets, widgets } from './definitions.ts'
import { serve } from './server.ts'

const server = await serve()
afterAll(() => server.close())
await server.define(widgets)
await server.define(planets)

const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1'
const NOWHERE = 'the server could not find the requested resource'

describe('a parameter that cannot be understood is refused by name', () => {
  it.each([
    ['timeout=abc', 'invalid timeout specified in the request URL - time: invalid duration "abc"'],
    ['timeout=5', 'invalid timeout specified in the request URL - time: missing unit in duration "5"'],
    ['limit=abc', 'strconv.ParseInt: parsing "abc": invalid syntax'],
    ['limit=1.5', 'strconv.ParseInt: parsing "1.5": invalid syntax'],
    ['watch=1&timeoutSeconds=abc', 'strconv.ParseInt: parsing "abc": invalid syntax'],
    [
      'includeObject=All',
      "Unable to convert to Table as requested: includeObject: Invalid value: \"All\": must be 'Metadata', 'Object', 'None', or empty",
    ],
  ])('%s', async (query, message) => {
    const { status, body } = await server.get(`${CONFIG_MAPS}?${query}`, { accept: TABLE })
    expect({ status, message: body.message }).toEqual({ status: 400, message })
  })

  it('export, which is gone, too', async () => {
    const { status, body } = await server.get('/api/v1/namespaces/default?export=true')
    expect(status).toBe(400)
    expect(body.message).toBe('the export parameter, deprecated since v1.14, is no longer supported')
  })
})

describe('a parameter that does not matter is ignored', () => {
  it.each(['timeout=1m30s', 'timeout=-1s', 'timeout=', 'export=false', 'nonsense=1', 'includeObject=All'])(
    '%s',
    async (query) => {
      expect((await server.get(`/api/v1/namespaces/default?${query}`)).status).toBe(200)
    },
  )

  it('timeout on a watch, which has one of its own', async () => {
    expect((await server.watch(`${CONFIG_MAPS}?timeout=abc&timeoutSeconds=1`)).status).toBe(200)
  })
})

describe('what is not there', () => {
  it.each([
    '/api/v2',
    '/api/v1/nothings',
    '/apis/apps/v2',
    '/apis/apps/v1/nothings',
    '/apis/apps/v1/deployments/a',
    '/api/v1/namespaces/default/pods/a/nothing',
  ])('below a group of built-in kinds is a Status: %s', async (path) => {
    const { status, body } = await server.get(path)
    expect(status).toBe(404)
    expect(body).toMatchObject({ kind: 'Status', reason: 'NotFound', message: NOWHERE })
  })

  it.each([
    '/apis/none.example.com/v1',
    `/apis/${GROUP}/v2`,
    `/apis/${GROUP}/v1/nothings`,
    `/apis/${GROUP}/v1/widgets/a`,
    `/apis/${GROUP}/v1/namespaces/default/planets`,
    '/nothing',
  ])('anywhere else is plain text: %s', async (path) => {
    expect(await server.get(path)).toMatchObject({ status: 404, text: '404 page not found\n' })
  })
})
