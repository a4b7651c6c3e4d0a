// Admission webhooks through HTTP: which writes they are asked about, what they are sent, what a refusal becomes.

import { MemoryStore } from '@homeostat/store'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startApiServer } from '../src/index.ts'
import { ADMISSION, configure, hooked, labelled, RULE, serve, URL, V2 } from './hooked.ts'
import { JOBS, job, jobDefinition } from './jobs.ts'
import { client } from './server.ts'
import { patching, type TestWebhook, verdict, webhookServer } from './webhook-server.ts'

describe('a validating webhook', () => {
  it('gets the review that Kubernetes sends, for each operation', async () => {
    const { server, hook } = await hooked('validating', (call) => verdict(call))
    const made = await server.post(`${URL}?fieldManager=me&fieldValidation=Strict`, job('a', { work: 1 }))
    expect(made.status).toBe(201)
    const [call] = hook.calls
    expect(call?.path).toBe('/hook?timeout=10s')
    expect(call?.headers['content-type']).toBe('application/json')
    expect(call?.body).toEqual({
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      request: {
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        kind: { group: 'ex.io', version: 'v1', kind: 'Job' },
        resource: { group: 'ex.io', version: 'v1', resource: 'jobs' },
        requestKind: { group: 'ex.io', version: 'v1', kind: 'Job' },
        requestResource: { group: 'ex.io', version: 'v1', resource: 'jobs' },
        name: 'a',
        namespace: 'default',
        operation: 'CREATE',
        userInfo: { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] },
        object: {
          ...made.body,
          metadata: { ...made.body.metadata, resourceVersion: undefined, managedFields: expect.any(Array) },
        },
        oldObject: null,
        dryRun: false,
        options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'me', fieldValidation: 'Strict' },
      },
    })
    await server.patch(`${URL}/a/status?dryRun=All`, { status: { done: true } })
    expect(hook.calls[1]?.request).toMatchObject({
      subResource: 'status',
      requestSubResource: 'status',
      operation: 'UPDATE',
      dryRun: true,
      object: { status: { done: true }, spec: { work: 1 } },
      oldObject: { spec: { work: 1 } },
      options: { kind: 'UpdateOptions', dryRun: ['All'] },
    })
    await server.delete(`${URL}/a`, { propagationPolicy: 'Foreground' })
    expect(hook.calls[2]?.request).toMatchObject({
      operation: 'DELETE',
      name: 'a',
      object: null,
      oldObject: { spec: { work: 1 } },
      options: { kind: 'DeleteOptions', propagationPolicy: 'Foreground' },
    })
  })

  it.each([
    [{}, 400, 'without explanation'],
    [{ status: { message: 'not today' } }, 400, ': not today'],
    [{ status: { reason: 'Odd', code: 418 } }, 418, ': Odd'],
    [{ status: { message: 'm', code: 200 } }, 400, ': m'],
    [{ status: { message: 'm', code: 1e9 } }, 500, ': m'],
    [{ status: { message: 'm', code: 'x', details: { retryAfterSeconds: 'soon', causes: 1 } } }, 400, ': m'],
  ])('refuses: %o', async (response, code, text) => {
    const { server } = await hooked('validating', (call) => verdict(call, { allowed: false, ...response }))
    const refused = await server.post(URL, job('a'))
    expect(refused).toMatchObject({ status: code, body: { kind: 'Status', status: 'Failure', code } })
    expect(refused.body.message).toMatch(`admission webhook "validating.hooks.test" denied the request`)
    expect(refused.body.message).toContain(text)
    expect((await server.get(`${URL}/a`)).status).toBe(404)
  })

  it('warns the client, and what it notes reaches an audit', async () => {
    const noted: unknown[] = []
    const audit = {
      name: 'audit',
      at: 'audit' as const,
      run: ({ annotations }: { annotations: ReadonlyMap<string, string> }) =>
        void (annotations.size > 0 && noted.push([...annotations])),
    }
    const server = await serve({ admission: [audit] })
    const hook = await webhookServer((call) =>
      verdict(call, { warnings: ['careful', 3], auditAnnotations: { k: 'v', n: 1 } }),
    )
    await configure(server, 'validating', hook)
    const made = await server.post(URL, job('a'))
    expect([made.status, made.headers.get('warning')]).toEqual([201, '299 - "careful"'])
    expect(noted).toEqual([[['validating.hooks.test/k', 'v']]])
  })

  it('may refuse a DELETE, also of one object of a collection', async () => {
    const { server } = await hooked('validating', (call) =>
      verdict(call, { allowed: call.request.operation !== 'DELETE' || call.request.name !== 'kept' }),
    )
    for (const name of ['gone', 'kept']) await server.post(URL, job(name))
    expect((await server.delete(`${URL}/kept`)).status).toBe(400)
    expect((await server.delete(URL)).status).toBe(400)
    expect((await server.get(`${URL}/kept`)).status).toBe(200)
  })

  it('is asked at the same time as the others, and the first in order that refuses is named', async () => {
    const server = await serve()
    const [one, other] = await Promise.all(
      ['one', 'other'].map(async (name) => {
        const hook: TestWebhook = await webhookServer(async (call) => {
          // Each answers only when both are asked.
          await Promise.all([one?.called(1), other?.called(1)])
          return verdict(call, { allowed: false, status: { message: `${name} says no` } })
        })
        await configure(server, 'validating', hook, {}, name)
        return hook
      }),
    )
    expect((await server.post(URL, job('a'))).body.message).toBe(
      'admission webhook "one.hooks.test" denied the request: one says no',
    )
    expect(other?.calls.length).toBe(1)
  })
})

describe('which writes are asked about', () => {
  it.each<[string, Record<string, unknown>, boolean]>([
    ['another group', { rules: [{ ...RULE, apiGroups: ['other.io'] }] }, false],
    ['another operation', { rules: [{ ...RULE, operations: ['UPDATE', 'DELETE', 'CONNECT'] }] }, false],
    ['only the status', { rules: [{ ...RULE, resources: ['jobs/status'] }] }, false],
    ['everything', { rules: [{ ...RULE, apiGroups: ['*'], resources: ['*'] }] }, true],
    ['cluster scope', { rules: [{ ...RULE, scope: 'Cluster' }] }, false],
    ['namespaced', { rules: [{ ...RULE, scope: 'Namespaced' }] }, true],
    ['no rules', { rules: [] }, false],
    ['a label of the object', { objectSelector: { matchLabels: { ask: 'yes' } } }, true],
    ['no such label of the object', { objectSelector: { matchLabels: { ask: 'no' } } }, false],
    ['the namespace', { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } } }, true],
    ['another namespace', { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'x' } } }, false],
    ['another version, Equivalent', { rules: [{ ...RULE, apiVersions: ['v2'] }] }, true],
    ['another version, Exact', { rules: [{ ...RULE, apiVersions: ['v2'] }], matchPolicy: 'Exact' }, false],
  ])('%s: %o', async (_, more, asked) => {
    const { server, hook } = await hooked('validating', (call) => verdict(call, { allowed: false }), more)
    const made = await server.post(URL, labelled('a', { ask: 'yes' }))
    const about = hook.calls.filter(({ request }) => (request.resource as { group: string }).group === 'ex.io')
    expect([made.status, about.length]).toEqual(asked ? [400, 1] : [201, 0])
  })

  it('a rule for another version sees the object in that version, and its patch is converted back', async () => {
    const { server, hook } = await hooked(
      'mutating',
      (call) =>
        patching(call, [
          { op: 'add', path: '/spec/seen', value: (call.request.object as { apiVersion: string }).apiVersion },
        ]),
      { rules: [{ ...RULE, apiVersions: ['v1'] }] },
    )
    const made = await server.post(V2, { ...job('a'), apiVersion: 'ex.io/v2' })
    expect(made.body).toMatchObject({ apiVersion: 'ex.io/v2', spec: { seen: 'ex.io/v1' } })
    expect(hook.calls[0]?.request).toMatchObject({
      kind: { version: 'v1' },
      resource: { version: 'v1' },
      requestKind: { version: 'v2' },
      requestResource: { version: 'v2' },
    })
  })

  it.each<[string, string, string | undefined, [number, number]]>([
    ['holds', "object.spec.work == 1 && request.operation == 'CREATE'", undefined, [400, 1]],
    ['does not hold', "request.userInfo.username == 'nobody'", undefined, [201, 0]],
    ['fails', 'object.spec.none == 1', undefined, [403, 0]],
    ['fails and is ignored', 'object.spec.none == 1', 'Ignore', [201, 0]],
  ])('a match condition that %s', async (_, expression, failurePolicy = 'Fail', expected) => {
    const matchConditions = [
      { name: 'first', expression: 'true' },
      { name: 'second', expression },
    ]
    const more = { matchConditions, failurePolicy }
    const { server, hook } = await hooked('validating', (call) => verdict(call, { allowed: false }), more)
    const made = await server.post(URL, job('a', { work: 1 }))
    expect([made.status, hook.calls.length]).toEqual(expected)
  })

  it('a match condition that does not compile is refused when it is written', async () => {
    const server = await serve()
    const webhook = {
      name: 'a.hooks.test',
      clientConfig: { url: 'https://127.0.0.1:1' },
      rules: [RULE],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      matchConditions: [{ name: 'a', expression: 'object.' }],
    }
    const made = await server.post(`${ADMISSION}/mutatingwebhookconfigurations`, {
      metadata: { name: 'a' },
      webhooks: [webhook],
    })
    expect(made).toMatchObject({
      status: 422,
      body: { details: { causes: [{ field: 'webhooks[0].matchConditions[0].expression' }] } },
    })
  })

  it('the configurations themselves are not: a webhook cannot lock itself in', async () => {
    const server = await serve()
    const everything = { rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }] }
    const hook = await webhookServer((call) => verdict(call, { allowed: false }))
    for (const kind of ['validating', 'mutating'] as const) await configure(server, kind, hook, everything)
    expect((await server.post('/api/v1/namespaces', { metadata: { name: 'x' } })).status).toBe(400)
    for (const kind of ['mutating', 'validating']) {
      const path = `${ADMISSION}/${kind}webhookconfigurations/${kind}`
      expect((await server.patch(path, { metadata: { labels: { a: 'b' } } })).status).toBe(200)
      expect((await server.delete(path)).status).toBe(200)
    }
    expect((await server.post('/api/v1/namespaces', { metadata: { name: 'x' } })).status).toBe(201)
  })

  it('none, when the machine turns webhooks off', async () => {
    const server = await serve({ webhooks: { admission: false } })
    await configure(server, 'validating', await webhookServer((call) => verdict(call, { allowed: false })))
    expect((await server.post(URL, job('a'))).status).toBe(201)
  })

  it('those of controllers inside the server are; a restart writes what the server needs without asking', async () => {
    const { server, hook } = await hooked('validating', (call) => verdict(call, { allowed: false }), {
      rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }],
    })
    expect(server.store).toBeDefined()
    const store = new MemoryStore()
    for (const again of [false, true]) {
      const started = await startApiServer({ store, host: '127.0.0.1', port: 0, definitions: [jobDefinition()] })
      onTestFinished(() => started.close())
      const http = client(started.address.port)
      if (!again) {
        const webhook = {
          name: 'all.hooks.test',
          clientConfig: { url: hook.url, caBundle: hook.caBundle },
          rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        }
        await http.post(`${ADMISSION}/validatingwebhookconfigurations`, {
          metadata: { name: 'all' },
          webhooks: [webhook],
        })
      }
      await expect(started.api({ username: 'controller', manager: 'c' }).create(JOBS, job('a'))).rejects.toThrow(
        'admission webhook "all.hooks.test" denied the request',
      )
      await started.close()
    }
  })
})

describe('the version of the review', () => {
  it('is v1beta1 for a webhook that accepts only that', async () => {
    const { server, hook } = await hooked(
      'mutating',
      (call) => {
        const patch = Buffer.from('[{"op":"add","path":"/spec/old","value":true}]').toString('base64')
        return { apiVersion: call.body.apiVersion, kind: 'AdmissionReview', response: { allowed: true, patch } }
      },
      { admissionReviewVersions: ['v3', 'v1beta1'] },
    )
    expect((await server.post(URL, job('a'))).body.spec).toEqual({ old: true })
    expect(hook.calls[0]?.body.apiVersion).toBe('admission.k8s.io/v1beta1')
  })
})

describe('scale', () => {
  const widgets = '/apis/ex.io/v1/namespaces/default/scaleds'
  const scaled = () => {
    const definition = structuredClone(jobDefinition()) as unknown as {
      metadata: { name: string }
      spec: { names: object; versions: { subresources: object }[] }
    }
    definition.metadata.name = 'scaleds.ex.io'
    definition.spec.names = { kind: 'Scaled', plural: 'scaleds' }
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
    for (const version of definition.spec.versions) version.subresources = { status: {}, scale }
    return definition
  }

  it('is asked about as an autoscaling/v1 Scale', async () => {
    const server = await serve({ definitions: [scaled()] })
    const hook = await webhookServer((call) => verdict(call))
    const rules = [{ ...RULE, resources: ['scaleds/scale'] }]
    await configure(server, 'validating', hook, { rules })
    await configure(server, 'mutating', hook, { rules })
    await server.post(widgets, {
      apiVersion: 'ex.io/v1',
      kind: 'Scaled',
      metadata: { name: 'a' },
      spec: { replicas: 1 },
    })
    expect((await server.patch(`${widgets}/a/scale`, { spec: { replicas: 3 } })).status).toBe(200)
    expect(hook.calls.map(({ request }) => request)).toMatchObject(
      [1, 2].map(() => ({
        kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
        resource: { group: 'ex.io', resource: 'scaleds' },
        subResource: 'scale',
        object: { kind: 'Scale', spec: { replicas: 3 } },
        oldObject: { kind: 'Scale', spec: { replicas: 1 } },
      })),
    )
  })
})
