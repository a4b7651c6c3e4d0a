// Acceptance check 23: unapproved or unknown keys are refused, only the assigned executor can close, log and set the output, and a
// tampered or replayed request is rejected. Keys are tokens here; the whole list of attacks is in
// packages/colony/test/executor-rights.test.ts and join.test.ts.

import { createHmac } from 'node:crypto'
import {
  type Call,
  COLONY,
  type Credentialed,
  callsOf,
  credentialed,
  executorObject,
  processObject,
  withToken,
} from '@homeostat/colony/testing/executor-accounts'
import { type TestColony, testColony } from '@homeostat/testing/colony'
import { afterAll, beforeAll, expect, test } from 'vitest'

let colony: TestColony
let admin: Call
let holder: Credentialed
let other: Credentialed

beforeAll(async () => {
  colony = await testColony()
  admin = callsOf(colony.client)
  await admin('POST', '/api/v1/namespaces', { metadata: { name: 'lab' } })
  holder = await credentialed(colony, { name: 'holder' })
  other = await credentialed(colony, { name: 'other' })
  for (const [one, name] of [[holder, 'holder'] as const, [other, 'other'] as const])
    expect(await one.call('POST', `${COLONY}/executors`, executorObject(name))).toMatchObject({ code: 200 })
  await admin('POST', `${COLONY}/processes`, processObject('work'))
  const { body } = await holder.call('POST', `${COLONY}/executors/holder/assign?timeoutSeconds=30`, {})
  expect(body.processes).toHaveLength(1)
})
afterAll(() => colony.close())

async function state(): Promise<unknown> {
  const { body } = await admin('GET', `${COLONY}/processes/work`)
  return [body.metadata.resourceVersion, body.status]
}

const close = (executor: string) => ({ executor, attempt: 1, result: 'Succeeded', output: 'forged' })

/** The token with another payload or signature. */
function tampered(token: string): [string, string][] {
  const [head = '', payload = '', signature = ''] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const asHolder = encoded({ ...claims, sub: 'system:serviceaccount:lab:executor-holder' })
  const none = encoded({ alg: 'none', typ: 'JWT' })
  const symmetric = encoded({ alg: 'HS256', typ: 'JWT' })
  const guess = createHmac('sha256', 'key').update(`${symmetric}.${asHolder}`).digest('base64url')
  return [
    ['another account in the payload', `${head}.${asHolder}.${signature}`],
    ['no algorithm', `${none}.${asHolder}.`],
    ['a symmetric key', `${symmetric}.${asHolder}.${guess}`],
    ['a shortened signature', token.slice(0, -4)],
    ['no token at all', 'nonsense'],
  ]
}

test('an unknown or tampered credential is 401, and nothing is written', async () => {
  const before = await state()
  for (const [what, token] of tampered(other.token)) {
    const { call } = withToken(colony.server, token)
    expect(await call('POST', `${COLONY}/processes/work/close`, close('holder')), what).toMatchObject({ code: 401 })
  }
  expect(await state()).toEqual(before)
})

test('an account that nobody approved may do nothing', async () => {
  const account = await credentialed(colony, { name: 'waiting' })
  const binding = '/apis/rbac.authorization.k8s.io/v1/namespaces/lab/rolebindings/executor-waiting'
  await admin('DELETE', binding)
  expect(await account.call('POST', `${COLONY}/executors`, executorObject('waiting'))).toMatchObject({ code: 403 })
  expect(await account.call('POST', `${COLONY}/processes/work/close`, close('waiting'))).toMatchObject({ code: 403 })
})

test('only the assigned executor closes, logs and sets the output', async () => {
  const before = await state()
  const log = (executor: string) => `${COLONY}/processes/work/log?executor=${executor}&attempt=1`
  expect(await other.call('POST', `${COLONY}/processes/work/close`, close('holder'))).toMatchObject({ code: 403 })
  expect(await other.call('POST', log('holder'), 'forged', 'text/plain')).toMatchObject({ code: 403 })
  expect(await other.call('POST', `${COLONY}/processes/work/close`, close('other'))).toMatchObject({ code: 409 })
  expect(await other.call('POST', log('other'), 'forged', 'text/plain')).toMatchObject({ code: 409 })
  expect(await state()).toEqual(before)
  expect(await holder.call('POST', log('holder'), 'mine', 'text/plain')).toMatchObject({ code: 200 })
  const outcome = { executor: 'holder', attempt: 1, result: 'Failed', errors: ['once more'] }
  expect(await holder.call('POST', `${COLONY}/processes/work/close`, outcome)).toMatchObject({ code: 200 })
  const { body } = await holder.call('POST', `${COLONY}/executors/holder/assign?timeoutSeconds=30`, {})
  expect(body.processes[0].status.attempt).toBe(2)
  const again = await state()
  expect(await holder.call('POST', `${COLONY}/processes/work/close`, outcome), 'a replay').toMatchObject({ code: 409 })
  expect(await state()).toEqual(again)
})
