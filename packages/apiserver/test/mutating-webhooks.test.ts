// What mutating webhooks make of an object, in which order, and which of their patches fail the write.

import { describe, expect, it } from 'vitest'
import { configure, hooked, seen, serve, URL } from './hooked.ts'
import { job } from './jobs.ts'
import { type Answer, patching, verdict, webhookServer } from './webhook-server.ts'

describe('a mutating webhook', () => {
  it('changes what is stored: pruned, completed, owned by the writer', async () => {
    const { server, hook } = await hooked('mutating', (call) =>
      patching(call, [
        { op: 'add', path: '/spec/added', value: 17 },
        { op: 'add', path: '/unknown', value: 1 },
        { op: 'add', path: '/metadata/labels', value: { by: 'hook' } },
        { op: 'add', path: '/metadata/managedFields', value: [{ manager: 'liar' }] },
        { op: 'add', path: '/metadata/uid', value: 'mine' },
        { op: 'add', path: '/metadata/resourceVersion', value: '1' },
      ]),
    )
    const made = await server.post(`${URL}?fieldManager=me`, job('a', { work: 1 }))
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ spec: { work: 1 }, metadata: { labels: { by: 'hook' } } })
    expect(made.body.unknown).toBeUndefined()
    expect(made.body.metadata.uid).toMatch(/^[0-9a-f-]{36}$/)
    expect(made.body.metadata.managedFields).toMatchObject([
      { manager: 'me', fieldsV1: { 'f:spec': { 'f:added': {} }, 'f:metadata': { 'f:labels': { 'f:by': {} } } } },
    ])
    const { uid, creationTimestamp, generation, managedFields } = seen(hook).metadata
    expect([uid, creationTimestamp, generation, managedFields?.length]).toEqual([undefined, undefined, undefined, 1])
    const patched = await server.patch(`${URL}/a`, { spec: { added: null, work: 2 } })
    expect(patched.body).toMatchObject({ spec: { work: 2 }, metadata: { uid: made.body.metadata.uid, generation: 2 } })
  })

  it('keeps all digits', async () => {
    const { server } = await hooked('mutating', (call) => {
      const patch = Buffer.from('[{"op":"add","path":"/spec/big","value":9007199254740993}]').toString('base64')
      return verdict(call, { patch, patchType: 'JSONPatch' })
    })
    expect((await server.post(URL, job('a'))).text).toContain('"big":9007199254740993')
  })

  it('does not see a name that the server makes; a validating one does', async () => {
    const { server, hook } = await hooked('mutating', (call) => verdict(call))
    const validating = await webhookServer((call) => verdict(call))
    await configure(server, 'validating', validating)
    const made = await server.post(URL, { ...job(''), metadata: { generateName: 'some-' } })
    expect(made.status).toBe(201)
    expect([hook.calls[0]?.request.name, seen(hook).metadata.name]).toEqual([undefined, undefined])
    expect(validating.calls[0]?.request.name).toBe(made.body.metadata.name)
  })

  it('comes in the order of configurations, each on what the one before made', async () => {
    const server = await serve()
    for (const name of ['b', 'a', 'c']) {
      const hook = await webhookServer((call) => {
        const { order = '' } = (call.request.object as { spec: { order?: string } }).spec
        return patching(call, [{ op: 'add', path: '/spec/order', value: order + name }])
      })
      await configure(server, 'mutating', hook, {}, name)
    }
    expect((await server.post(URL, job('x'))).body.spec).toEqual({ order: 'abc' })
  })

  it('is matched with what earlier ones made of the labels', async () => {
    const server = await serve()
    const first = await webhookServer((call) =>
      patching(call, [{ op: 'add', path: '/metadata/labels', value: { ask: 'yes' } }]),
    )
    const second = await webhookServer((call) => verdict(call))
    await configure(server, 'mutating', first, {}, 'a')
    await configure(server, 'mutating', second, { objectSelector: { matchLabels: { ask: 'yes' } } }, 'b')
    await server.post(URL, job('x'))
    expect(second.calls.length).toBe(1)
  })

  it('is called once more when a later one changed the object, if it wants that', async () => {
    const server = await serve()
    const counting = (path: string) => (call: Parameters<Answer>[0]) =>
      patching(call, [{ op: 'add', path: `/spec/${path}`, value: true }])
    const [again, never, last] = [
      await webhookServer(counting('again')),
      await webhookServer(counting('never')),
      await webhookServer(counting('last')),
    ]
    await configure(server, 'mutating', again, { reinvocationPolicy: 'IfNeeded' }, 'a')
    await configure(server, 'mutating', never, {}, 'b')
    await configure(server, 'mutating', last, { reinvocationPolicy: 'IfNeeded' }, 'c')
    expect((await server.post(URL, job('x'))).body.spec).toEqual({ again: true, never: true, last: true })
    expect([again, never, last].map(({ calls }) => calls.length)).toEqual([2, 1, 1])
    expect(seen(again, 1).spec).toEqual({ again: true, never: true, last: true })
    // Nobody changes anything any more.
    await server.patch(`${URL}/x`, { spec: { more: 1 } })
    expect([again, never, last].map(({ calls }) => calls.length)).toEqual([3, 2, 2])
  })

  it('two that change the object for ever end after the second round', async () => {
    const server = await serve()
    const hooks = await Promise.all(
      ['a', 'b'].map(async (name) => {
        const hook = await webhookServer((call) => {
          const { count = 0 } = (call.request.object as { spec: { count?: number } }).spec
          return patching(call, [{ op: 'add', path: '/spec/count', value: count + 1 }])
        })
        await configure(server, 'mutating', hook, { reinvocationPolicy: 'IfNeeded' }, name)
        return hook
      }),
    )
    expect((await server.post(URL, job('x'))).body.spec.count).toBeLessThanOrEqual(4)
    expect(hooks.map(({ calls }) => calls.length)).toEqual([2, 2])
  })

  it.each<[string, unknown, string]>([
    ['is no list', { op: 'add' }, 'must be a list'],
    ['fails', [{ op: 'test', path: '/spec/work', value: 2 }], 'the test of "/spec/work" failed'],
    ['leads nowhere', [{ op: 'remove', path: '/spec/none' }], '/spec/none'],
    ['makes no object', [{ op: 'replace', path: '', value: [] }], 'the result is not an object'],
    ['changes the kind', [{ op: 'replace', path: '/kind', value: 'Other' }], 'kind must stay "Job"'],
    ['renames', [{ op: 'replace', path: '/metadata/name', value: 'b' }], 'metadata.name must stay "a"'],
    ['moves', [{ op: 'replace', path: '/metadata/namespace', value: 'x' }], 'metadata.namespace must stay "default"'],
    ['drops metadata', [{ op: 'remove', path: '/metadata' }], 'metadata must stay an object'],
    ['makes labels wrong', [{ op: 'add', path: '/metadata/labels', value: { a: 1 } }], 'labels'],
    ['is too long', Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 'Job' })), '10000'],
    [
      'doubles itself',
      [
        { op: 'add', path: '/spec/x', value: 'x'.repeat(100_000) },
        ...Array.from({ length: 30 }, (_, i) => ({ op: 'copy', from: '/spec', path: `/spec/y${i}` })),
      ],
      'copies',
    ],
  ])('whose patch %s fails the write', async (_, operations, message) => {
    const { server } = await hooked('mutating', (call) => patching(call, operations as object[]))
    const made = await server.post(URL, job('a', { work: 1 }))
    expect(made).toMatchObject({ status: 500, body: { reason: 'InternalError' } })
    expect(made.body.message).toContain(
      'admission webhook "mutating.hooks.test" returned a patch that cannot be applied',
    )
    expect(made.body.message).toContain(message)
    expect((await server.get(`${URL}/a`)).status).toBe(404)
  })

  it('is asked about a patch that changes nothing, and may change the object then', async () => {
    let color = 'none'
    const { server, hook } = await hooked('mutating', (call) =>
      patching(call, [{ op: 'add', path: '/spec/color', value: color }]),
    )
    await server.post(URL, job('a', { work: 1 }))
    color = 'red'
    const before = hook.calls.length
    expect((await server.patch(`${URL}/a`, { spec: { work: 1 } })).body.spec).toEqual({ work: 1, color: 'red' })
    expect(hook.calls.length).toBe(before + 1)
    const { resourceVersion } = (await server.get(`${URL}/a`)).body.metadata
    expect((await server.patch(`${URL}/a`, {})).body.metadata.resourceVersion).toBe(resourceVersion)
  })

  it('cannot change a DELETE', async () => {
    const { server } = await hooked('mutating', (call) =>
      call.request.operation === 'DELETE' ? patching(call, [{ op: 'add', path: '/spec', value: {} }]) : verdict(call),
    )
    await server.post(URL, job('a'))
    const deleted = await server.delete(`${URL}/a`)
    expect([deleted.status, deleted.body.message]).toEqual([
      500,
      expect.stringContaining('attempted to modify the object'),
    ])
  })

  it('whose result is invalid fails the write as an invalid object does', async () => {
    const { server } = await hooked('mutating', (call) =>
      patching(call, [{ op: 'replace', path: '/spec', value: 'text' }]),
    )
    expect(await server.post(URL, job('a'))).toMatchObject({ status: 422, body: { reason: 'Invalid' } })
  })
})
