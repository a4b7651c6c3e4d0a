import { expect, test } from 'vitest'
import { responseOf, type ScriptedResponse } from '../../test/scripted-transport.ts'
import { failureOf } from './failure.ts'

const failure = (told: ScriptedResponse, method = 'GET') =>
  failureOf({ method, path: '/api/v1/pods' }, responseOf(told))

test('the Status that a server sends is the error', async () => {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'pods "a" not found',
    reason: 'NotFound',
    details: { name: 'a', kind: 'pods' },
    code: 404,
  }
  const error = await failure({ status: 404, body: status })
  expect(error.status).toEqual(status)
  expect(error.message).toBe('pods "a" not found')
})

test.each([
  [400, 'GET', 'BadRequest'],
  [401, 'GET', 'Unauthorized'],
  [403, 'GET', 'Forbidden'],
  [404, 'GET', 'NotFound'],
  [409, 'PUT', 'Conflict'],
  [409, 'POST', 'AlreadyExists'],
  [410, 'GET', 'Gone'],
  [413, 'PUT', 'RequestEntityTooLarge'],
  [422, 'PUT', 'Invalid'],
  [429, 'GET', 'TooManyRequests'],
  [500, 'GET', 'InternalError'],
  [503, 'GET', 'ServiceUnavailable'],
  [504, 'GET', 'Timeout'],
  [418, 'GET', ''],
])('a response of %s to a %s without a Status has the reason %s', async (status, method, reason) => {
  const error = await failure({ status, body: '' }, method)
  expect([error.code, error.reason]).toEqual([status, reason])
})

test("a proxy's page becomes a message without its tags", async () => {
  const body = '<html><head><title>502</title><style>b{}</style></head><body><h1>Bad  Gateway</h1>\n<p>nginx</p></body>'
  const error = await failure({ status: 502, body })
  expect(error.message).toBe('the server answered 502 to GET /api/v1/pods: Bad Gateway nginx')
})

test.each([
  ['JSON that is no Status', '{"error":"overloaded"}', ': {"error":"overloaded"}'],
  ['half a Status', '{"kind":"Status","sta', ': {"kind":"Status","sta'],
  ['a body that breaks', [new Error('broken')], ''],
  ['too much', 'x'.repeat(2_000_000), ''],
])('%s is a failure like any other', async (_, body, said) => {
  expect((await failure({ status: 503, body })).message).toBe(`the server answered 503 to GET /api/v1/pods${said}`)
})

test('the time after which to come back is kept', async () => {
  const error = await failure({ status: 429, headers: { 'retry-after': '7' }, body: 'slow down' })
  expect(error.status.details).toEqual({ retryAfterSeconds: 7 })
})
