import { ManualClock } from '@homeostat/base'
import { type TestColony, testColony } from '@homeostat/testing/colony'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Call,
  COLONY,
  type Credentialed,
  callsOf,
  credentialed,
  executorObject,
  processObject,
  tokenOf,
  withToken,
} from './executor-accounts.ts'

/** How often open calls are asked again. */
const CHECKED_MS = 5000
/** As no other timer. */
const WAIT_SECONDS = 61

let colony: TestColony
let admin: Call
let ada: Credentialed
let eve: Credentialed

beforeAll(async () => {
  colony = await testColony()
  admin = callsOf(colony.client)
  await admin('POST', '/api/v1/namespaces', { metadata: { name: 'lab' } })
  ada = await credentialed(colony, { name: 'ada' })
  eve = await credentialed(colony, { name: 'eve', type: 'other' })
  expect(await ada.call('POST', `${COLONY}/executors`, executorObject('ada'))).toMatchObject({ code: 200 })
  expect(await eve.call('POST', `${COLONY}/executors`, executorObject('eve', { type: 'other' }))).toMatchObject({
    code: 200,
  })
})

afterAll(() => colony.close())

async function stateOf(path: string) {
  const { body } = await admin('GET', path)
  return [body.metadata.resourceVersion, body.spec, body.status]
}

/** Ada runs the Process in attempt 1. */
async function given(name: string) {
  await admin('POST', `${COLONY}/processes`, processObject(name))
  const { body } = await ada.call('POST', `${COLONY}/executors/ada/assign?timeoutSeconds=30`, {})
  expect(body.processes[0]).toMatchObject({ metadata: { name }, status: { attempt: 1, executor: 'ada' } })
}

test('an executor with its own account does its work', async () => {
  await given('mine')
  const holding = [{ process: 'mine', attempt: 1 }]
  expect(await ada.call('POST', `${COLONY}/executors/ada/heartbeat`, { holding })).toMatchObject({
    code: 200,
    body: { lost: [] },
  })
  const log = `${COLONY}/processes/mine/log?executor=ada&attempt=1`
  expect(await ada.call('POST', log, 'adding\n', 'text/plain')).toMatchObject({ code: 200 })
  const close = { executor: 'ada', attempt: 1, result: 'Succeeded', output: 7 }
  expect(await ada.call('POST', `${COLONY}/processes/mine/close`, close)).toMatchObject({
    body: { status: { phase: 'Succeeded', output: 7 } },
  })
})

test('the account that registers itself is recorded, and is listed', async () => {
  const { body } = await admin('GET', `${COLONY}/executors/ada`)
  expect(body.spec).toEqual({ type: 'python', serviceAccountName: 'executor-ada' })
})

describe('an executor that acts as another is refused, and nothing is written', () => {
  beforeAll(async () => {
    await given('hers')
    // A role that is too wide for heartbeats does not let it act as another.
    const role = '/apis/rbac.authorization.k8s.io/v1/namespaces/lab/roles/executor-eve'
    const rule = { apiGroups: ['colonies.io'], resources: ['executors/heartbeat'], verbs: ['create'] }
    const add = [{ op: 'add', path: '/rules/-', value: rule }]
    expect(await admin('PATCH', role, add, 'application/json-patch+json')).toMatchObject({ code: 200 })
  })

  test('its log stays empty', async () => {
    await eve.call('POST', `${COLONY}/processes/hers/log?executor=ada&attempt=1`, 'forged', 'text/plain')
    const { body } = await colony.client.request({ method: 'GET', path: `${COLONY}/processes/hers/log` })
    const texts: string[] = []
    for await (const piece of body) texts.push(Buffer.from(piece).toString())
    expect(texts.join('')).toBe('')
  })

  test.each([
    ['assign', `${COLONY}/executors/ada/assign?timeoutSeconds=0`, { max: 1 }],
    [
      'close with an assign',
      `${COLONY}/executors/ada/assign?timeoutSeconds=0`,
      { max: 0, finished: [{ process: 'hers', attempt: 1, result: 'Succeeded' }] },
    ],
    ['heartbeat', `${COLONY}/executors/ada/heartbeat`, { holding: [] }],
    ['close', `${COLONY}/processes/hers/close`, { executor: 'ada', attempt: 1, result: 'Failed' }],
    ['log', `${COLONY}/processes/hers/log?executor=ada&attempt=1`, 'forged'],
    ['register', `${COLONY}/executors`, executorObject('mallory', { type: 'other' })],
  ])('%s', async (_, path, body) => {
    const before = await stateOf(`${COLONY}/processes/hers`)
    const answer = await eve.call('POST', path, body)
    expect(answer).toMatchObject({ code: 403, body: { reason: 'Forbidden' } })
    expect(answer.body.message).toContain('"executors/assign"')
    expect(await stateOf(`${COLONY}/processes/hers`)).toEqual(before)
    expect((await admin('GET', `${COLONY}/executors/mallory`)).code).toBe(404)
  })

  test('its own name does not close, log or set the output of what it does not hold', async () => {
    const before = await stateOf(`${COLONY}/processes/hers`)
    const close = { executor: 'eve', attempt: 1, result: 'Succeeded', output: 'forged' }
    expect(await eve.call('POST', `${COLONY}/processes/hers/close`, close)).toMatchObject({ code: 409 })
    const finished = [{ process: 'hers', attempt: 1, result: 'Succeeded', output: 'forged' }]
    const assign = `${COLONY}/executors/eve/assign?timeoutSeconds=0`
    expect(await eve.call('POST', assign, { max: 0, finished })).toMatchObject({ code: 409 })
    const log = `${COLONY}/processes/hers/log?executor=eve&attempt=1`
    expect(await eve.call('POST', log, 'forged', 'text/plain')).toMatchObject({ code: 409 })
    expect(await stateOf(`${COLONY}/processes/hers`)).toEqual(before)
  })

  test('a heartbeat that names what another holds takes nothing from it', async () => {
    const before = await stateOf(`${COLONY}/processes/hers`)
    const beat = { holding: [{ process: 'hers', attempt: 1 }] }
    const { body } = await eve.call('POST', `${COLONY}/executors/eve/heartbeat`, beat)
    expect(body).toEqual({ cancelled: [], lost: beat.holding })
    expect(await stateOf(`${COLONY}/processes/hers`)).toEqual(before)
  })

  test('the Executor of another cannot be changed, replaced or deleted', async () => {
    const before = await stateOf(`${COLONY}/executors/ada`)
    const path = `${COLONY}/executors/ada`
    const patch = executorObject('ada', { type: 'other' })
    for (const [method, body, type] of [
      ['PATCH', patch, 'application/apply-patch+yaml'],
      ['PUT', patch, 'application/json'],
      ['DELETE', undefined, undefined],
    ] as const) {
      const answer = await eve.call(method, `${path}?fieldManager=eve&force=true`, body, type)
      expect(answer).toMatchObject({ code: 403 })
    }
    expect(await stateOf(path)).toEqual(before)
  })

  test.each([
    ['a Process', `${COLONY}/processes/hers`],
    ['the Processes', `${COLONY}/processes`],
    ['a watch', `${COLONY}/processes?watch=true&timeoutSeconds=1`],
    ['a selected Process', `${COLONY}/processes?fieldSelector=metadata.name=hers`],
    ['its log', `${COLONY}/processes/hers/log`],
    ['other executors', `${COLONY}/executors`],
    ['Secrets', '/api/v1/namespaces/lab/secrets'],
    ['the colony next door', '/apis/colonies.io/v1/namespaces/default/processes'],
  ])('it cannot read %s', async (_, path) => {
    const answer = await eve.call('GET', path)
    expect(answer).toMatchObject({ code: 403 })
    expect(JSON.stringify(answer.body)).not.toContain('secret input')
  })
})

test('the status of a Process is written by the colony alone', async () => {
  await given('stated')
  const path = `${COLONY}/processes/stated/status`
  const patch = { status: { phase: 'Succeeded', output: 'forged' } }
  const before = await stateOf(`${COLONY}/processes/stated`)
  const merge = 'application/merge-patch+json'
  expect(await ada.call('PATCH', path, patch, merge)).toMatchObject({ code: 403 })
  expect(await stateOf(`${COLONY}/processes/stated`)).toEqual(before)
})

describe('types', () => {
  test('an executor that asks for a type it has no right to is refused', async () => {
    const bob = await credentialed(colony, { name: 'bob' })
    const register = (spec: object) =>
      bob.call(
        'PATCH',
        `${COLONY}/executors/bob?fieldManager=bob&force=true`,
        executorObject('bob', spec),
        'application/apply-patch+yaml',
      )
    const refused = await register({ type: 'gpu' })
    expect(refused).toMatchObject({ code: 403 })
    expect(refused.body.message).toContain('cannot use resource "executortypes"')
    expect((await admin('GET', `${COLONY}/executors/bob`)).code).toBe(404)
    expect(await register({ type: 'python' })).toMatchObject({ code: 200 })
  })

  test('an executor changes neither its type nor its account, also to one that it has a right to', async () => {
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/lab/roles/executor-ada'
    const rule = { apiGroups: ['colonies.io'], resources: ['executortypes'], verbs: ['use'] }
    const add = [{ op: 'add', path: '/rules/-', value: rule }]
    expect(await admin('PATCH', rbac, add, 'application/json-patch+json')).toMatchObject({ code: 200 })
    const before = await stateOf(`${COLONY}/executors/ada`)
    for (const spec of [{ type: 'other' }, { serviceAccountName: 'executor-eve' }, { serviceAccountName: null }]) {
      const merge = 'application/merge-patch+json'
      const answer = await ada.call('PATCH', `${COLONY}/executors/ada`, { spec }, merge)
      expect(answer).toMatchObject({ code: 403 })
      expect(answer.body.message).toContain('cannot change its own')
    }
    expect(await stateOf(`${COLONY}/executors/ada`)).toEqual(before)
  })

  test('what it registers as must match its credential', async () => {
    const carl = await credentialed(colony, { name: 'carl' })
    const forged = executorObject('carl', { type: 'python', serviceAccountName: 'executor-ada' })
    const answer = await carl.call('POST', `${COLONY}/executors`, forged)
    expect(answer).toMatchObject({ code: 403 })
    expect(answer.body.message).toContain('cannot impersonate resource "serviceaccounts"')
    expect((await admin('GET', `${COLONY}/executors/carl`)).code).toBe(404)
  })

  test('an administrator may change both', async () => {
    await credentialed(colony, { name: 'dora' })
    await admin(
      'POST',
      `${COLONY}/executors`,
      executorObject('dora', { type: 'a', serviceAccountName: 'executor-dora' }),
    )
    const spec = { type: 'b', serviceAccountName: 'executor-eve' }
    const merge = 'application/merge-patch+json'
    expect(await admin('PATCH', `${COLONY}/executors/dora`, { spec }, merge)).toMatchObject({
      code: 200,
      body: { spec },
    })
  })
})

test('an old close that is sent again changes nothing: the attempt is the fence', async () => {
  await given('again')
  const close = { executor: 'ada', attempt: 1, result: 'Failed', errors: ['first'], retryable: true }
  const path = `${COLONY}/processes/again/close`
  expect((await ada.call('POST', path, close)).body.status.phase).toBe('Waiting')
  const waiting = await stateOf(`${COLONY}/processes/again`)
  await ada.call('POST', path, close)
  expect(await stateOf(`${COLONY}/processes/again`)).toEqual(waiting)
  const { body } = await ada.call('POST', `${COLONY}/executors/ada/assign?timeoutSeconds=30`, {})
  expect(body.processes[0].status.attempt).toBe(2)
  const running = await stateOf(`${COLONY}/processes/again`)
  expect(await ada.call('POST', path, close)).toMatchObject({ code: 409 })
  expect(await stateOf(`${COLONY}/processes/again`)).toEqual(running)
})

describe('a token that has ended', () => {
  test('that of a deleted account is 401, also when the account is made again', async () => {
    const fred = await credentialed(colony, { name: 'fred' })
    await fred.call('POST', `${COLONY}/executors`, executorObject('fred'))
    const account = '/api/v1/namespaces/lab/serviceaccounts/executor-fred'
    await admin('DELETE', account)
    const assign = () => fred.call('POST', `${COLONY}/executors/fred/assign?timeoutSeconds=0`, {})
    expect(await assign()).toMatchObject({ code: 401 })
    await admin('POST', '/api/v1/namespaces/lab/serviceaccounts', { metadata: { name: 'executor-fred' } })
    expect(await assign()).toMatchObject({ code: 401 })
    const renewed = withToken(colony.server, await tokenOf(colony.client, 'lab', 'executor-fred'))
    expect(await renewed.call('POST', `${COLONY}/executors/fred/assign?timeoutSeconds=0`, {})).toMatchObject({
      code: 200,
    })
  })

  test('an executor renews its own token, and no other', async () => {
    expect(await tokenOf(ada.client, 'lab', 'executor-ada')).toContain('.')
    await expect(tokenOf(ada.client, 'lab', 'executor-eve')).rejects.toThrow('cannot create')
  })
})

test.each([
  ['its account is deleted', '/api/v1/namespaces/lab/serviceaccounts/executor-polly'],
  ['its binding is deleted', '/apis/rbac.authorization.k8s.io/v1/namespaces/lab/rolebindings/executor-polly'],
])('a call that waits for work is cut off when %s, and takes nothing', async (_, right) => {
  const parked = Promise.withResolvers<void>()
  const clock = new (class extends ManualClock {
    override setTimer(ms: number, callback: () => void) {
      if (ms === WAIT_SECONDS * 1000) parked.resolve()
      return super.setTimer(ms, callback)
    }
  })(Date.now())
  await using own = await testColony({ clock })
  const asAdmin = callsOf(own.client)
  await asAdmin('POST', '/api/v1/namespaces', { metadata: { name: 'lab' } })
  const polly = await credentialed(own, { name: 'polly' })
  await polly.call('POST', `${COLONY}/executors`, executorObject('polly'))
  const waiting = polly.call('POST', `${COLONY}/executors/polly/assign?timeoutSeconds=${WAIT_SECONDS}`, {})
  const cut = expect(waiting).rejects.toThrow()
  await parked.promise
  expect(await asAdmin('DELETE', right)).toMatchObject({ code: 200 })
  clock.advance(CHECKED_MS)
  await cut
  await asAdmin('POST', `${COLONY}/processes`, processObject('later'))
  expect((await asAdmin('GET', `${COLONY}/processes/later`)).body.status.phase).toBe('Waiting')
})

describe('children that an executor reports are written with its own rights', () => {
  async function closed(name: string, children: object[]) {
    const { body } = await ada.call('POST', `${COLONY}/executors/ada/assign?timeoutSeconds=30`, {})
    const [process] = body.processes
    expect(process.spec.label).toBe(`Gadget/${name}`)
    const close = { executor: 'ada', attempt: process.status.attempt, result: 'Succeeded', children }
    return ada.call('POST', `${COLONY}/processes/${process.metadata.name}/close`, close)
  }

  test('so it cannot make what its role does not allow', async () => {
    const role = '/apis/rbac.authorization.k8s.io/v1/namespaces/lab/roles/executor-ada'
    const verbs = ['get', 'list', 'create', 'patch', 'delete']
    const rule = { apiGroups: [''], resources: ['configmaps'], verbs }
    await admin('PATCH', role, [{ op: 'add', path: '/rules/-', value: rule }], 'application/json-patch+json')
    await admin('POST', '/apis/colonies.io/v1/resourcedefinitions', {
      apiVersion: 'colonies.io/v1',
      kind: 'ResourceDefinition',
      metadata: { name: 'gadgets.ex.io' },
      spec: {
        group: 'ex.io',
        version: 'v1',
        names: { kind: 'Gadget', plural: 'gadgets' },
        scope: 'Namespaced',
        handler: { executorType: 'python', functionName: 'add' },
      },
    })
    const gadgets = '/apis/ex.io/v1/namespaces/lab/gadgets'
    const gadget = (name: string) => ({ apiVersion: 'ex.io/v1', kind: 'Gadget', metadata: { name }, spec: {} })
    await colony.until(
      { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: 'gadgets.ex.io' },
      ({ status }) => JSON.stringify(status ?? {}).includes('"Established"'),
    )
    expect(await admin('POST', gadgets, gadget('bad'))).toMatchObject({ code: 200 })
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'forged' } }
    await closed('bad', [secret])
    expect((await admin('GET', '/api/v1/namespaces/lab/secrets/forged')).code).toBe(404)
    const { body } = await admin('GET', `${gadgets}/bad`)
    const ready = body.status.conditions.find(({ type }: { type: string }) => type === 'Ready')
    expect(ready).toMatchObject({ status: 'False', reason: 'ChildrenFailed' })
    expect(ready.message).toContain('"secrets"')
    await admin('PATCH', `${gadgets}/bad`, { metadata: { finalizers: null } }, 'application/merge-patch+json')
    await admin('DELETE', `${gadgets}/bad`)
  })
})
