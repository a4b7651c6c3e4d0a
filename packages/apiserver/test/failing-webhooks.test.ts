// Webhooks that misbehave or are somewhere else: the write that asks them fails or passes as configured, and nobody else is hurt.

import { describe, expect, it } from 'vitest'
import { WatchCache } from '../src/cache/watch-cache.ts'
import { ServiceAddresses } from '../src/webhook/service-addresses.ts'
import { ADMISSION, configure, hooked, type Server, serve, URL } from './hooked.ts'
import { job } from './jobs.ts'
import { type Answer, patching, verdict, webhookServer } from './webhook-server.ts'

describe('a webhook that fails', () => {
  const wrong: [string, Answer, string][] = [
    ['answers no JSON', () => 'hello', 'received invalid webhook response'],
    ['answers for another request', (call) => verdict(call, { uid: 'x' }), 'expected response.uid='],
    [
      'answers in another version',
      (call) => ({ ...verdict(call), apiVersion: 'admission.k8s.io/v1beta1' }),
      'expected webhook response of',
    ],
    [
      'answers nothing',
      ({ body }) => ({ apiVersion: body.apiVersion, kind: body.kind }),
      'webhook response was absent',
    ],
    ['answers a list', () => [], 'the answer is not an AdmissionReview'],
    ['patches as a validating one', (call) => patching(call, []), 'validating webhook may not return response.patch'],
    ['answers hugely', () => `"${'x'.repeat(9 << 20)}"`, 'more than 8388608 bytes'],
    ['answers too deeply', () => '['.repeat(100_000) + ']'.repeat(100_000), 'received invalid webhook response'],
    ['crashes', (_, response) => void response.socket?.destroy(), 'EOF'],
    ['is broken', (_, response) => void response.writeHead(500).end('oops'), 'an error on the server ("oops")'],
  ]

  it.each(wrong)('%s: the write is refused, and the error names it', async (_, answer, message) => {
    const { server } = await hooked('validating', answer)
    const made = await server.post(URL, job('a'))
    expect(made).toMatchObject({ status: 500, body: { reason: 'InternalError' } })
    expect(made.body.message).toContain('failed calling webhook "validating.hooks.test": ')
    expect(made.body.message).toContain(message)
    expect((await server.get(`${URL}/a`)).status).toBe(404)
  })

  it.each(wrong)('%s: the write passes when its failures are ignored', async (_, answer) => {
    const { server, hook } = await hooked('validating', answer, { failurePolicy: 'Ignore' })
    expect((await server.post(URL, job('a'))).status).toBe(201)
    expect(hook.calls.length).toBeGreaterThan(0)
  })

  it('hangs: its own time is kept, and writes of other kinds and objects go on meanwhile', async () => {
    const { server, hook } = await hooked(
      'validating',
      (call) => (call.request.name === 'slow' ? undefined : verdict(call)),
      {
        timeoutSeconds: 1,
      },
    )
    const slow = server.post(URL, job('slow'))
    await hook.called(1)
    expect((await server.post(URL, job('quick'))).status).toBe(201)
    expect((await server.post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'c' } })).status).toBe(201)
    expect((await slow).body.message).toContain(
      `failed calling webhook "validating.hooks.test": failed to call webhook: Post "${hook.url}?timeout=1s": context deadline exceeded`,
    )
  })

  it('is not there', async () => {
    const server = await serve()
    const hook = await webhookServer((call) => verdict(call))
    await hook.close()
    await configure(server, 'mutating', hook)
    expect((await server.post(URL, job('a'))).body.message).toContain('connect: connection refused')
  })

  it('writes the object that it is asked about: the write is decided again on it', async () => {
    const server = await serve()
    let isWriting = true
    const hook = await webhookServer(async (call) => {
      if (isWriting && call.request.operation === 'UPDATE') {
        isWriting = false
        expect((await server.patch(`${URL}/a`, { spec: { byHook: true } })).status).toBe(200)
      }
      return verdict(call)
    })
    await configure(server, 'validating', hook)
    await server.post(URL, job('a', { first: 1 }))
    expect((await server.patch(`${URL}/a`, { spec: { byClient: true } })).body.spec).toEqual({
      first: 1,
      byHook: true,
      byClient: true,
    })
    expect(hook.calls.length).toBe(4)
  })

  it('writes it each time: the write ends with a conflict', async () => {
    const server = await serve()
    let turn = 0
    const hook = await webhookServer(async (call) => {
      const { by } = (call.request.object as { spec: { by?: string } }).spec
      if (by === 'client') await server.patch(`${URL}/a`, { spec: { by: 'hook', turn: ++turn } })
      return verdict(call)
    })
    await configure(server, 'validating', hook)
    await server.post(URL, job('a'))
    const { status, body } = await server.patch(`${URL}/a`, { spec: { by: 'client' } })
    expect([status, body.reason, turn]).toEqual([409, 'Conflict', 5])
  })
})

describe('a webhook of a Service', () => {
  const service = { service: { namespace: 'default', name: 'hooks', path: '/hook' } }
  const named = async (server: Server, answer: Answer, caBundle = '') => {
    const hook = await webhookServer(answer, { dnsNames: ['hooks.default.svc'], addresses: [] })
    await configure(server, 'validating', hook, { clientConfig: { ...service, caBundle: caBundle || hook.caBundle } })
    return hook
  }
  const refusal = async (server: Server) => (await server.post(URL, job('a'))).body.message

  it('is reached by its name, which its certificate must have', async () => {
    const server = await serve()
    const hook = await named(server, (call) => verdict(call))
    expect(await refusal(server)).toContain(
      'failed to call webhook: Post "https://hooks.default.svc:443/hook?timeout=10s": service "hooks" not found',
    )
    // Kubernetes lets no endpoint have a loopback address; an external name may lead there.
    const spec = { type: 'ExternalName', externalName: 'localhost', ports: [{ port: hook.port }] }
    await server.post('/api/v1/namespaces/default/services', { metadata: { name: 'hooks' }, spec })
    const clientConfig = { service: { ...service.service, port: hook.port }, caBundle: hook.caBundle }
    await server.patch(`${ADMISSION}/validatingwebhookconfigurations/validating`, [
      { op: 'replace', path: '/webhooks/0/clientConfig', value: clientConfig },
    ])
    expect((await server.post(URL, job('a'))).status).toBe(201)
    expect(hook.calls[0]).toMatchObject({
      path: '/hook?timeout=10s',
      headers: { host: `hooks.default.svc:${hook.port}` },
    })
  })

  it('is resolved to the endpoints that are ready, each in turn', async () => {
    const server = await serve()
    const at = '/api/v1/namespaces/default'
    const resolve = async (port = 443) => {
      const addresses = new ServiceAddresses(await WatchCache.load(server.store))
      const one = () => addresses.resolve({ namespace: 'default', name: 'hooks', port }, 'Post "x"')
      return [one(), one(), one()].map(({ host, port: number }) => `${host}:${number}`)
    }
    await expect(resolve()).rejects.toThrow('Post "x": service "hooks" not found')
    const spec = { ports: [{ name: 'https', port: 443, targetPort: 9443 }] }
    await server.post(`${at}/services`, { metadata: { name: 'hooks' }, spec })
    await expect(resolve()).rejects.toThrow('no endpoints available for service "hooks"')
    await expect(resolve(8443)).rejects.toThrow('no service port 8443 found for service "hooks"')
    const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices'
    const slice = {
      metadata: { name: 'hooks-1', labels: { 'kubernetes.io/service-name': 'hooks' } },
      addressType: 'IPv4',
      ports: [{ name: 'https', port: 9443 }],
      endpoints: [
        { addresses: ['10.0.0.1'], conditions: { ready: true } },
        { addresses: ['10.0.0.2'], conditions: { ready: false } },
        { addresses: ['10.0.0.3'] },
      ],
    }
    expect((await server.post(slices, slice)).status).toBe(201)
    expect(await resolve()).toEqual(['10.0.0.1:9443', '10.0.0.3:9443', '10.0.0.1:9443'])
    await server.delete(`${slices}/hooks-1`)
    const subsets = [{ addresses: [{ ip: '10.0.0.4' }], ports: [{ name: 'https', port: 8443 }] }]
    expect((await server.post(`${at}/endpoints`, { metadata: { name: 'hooks' }, subsets })).status).toBe(201)
    expect(await resolve()).toEqual(['10.0.0.4:8443', '10.0.0.4:8443', '10.0.0.4:8443'])
  })

  it('is reached at the address that the machine gives for it', async () => {
    const hook = await webhookServer((call) => verdict(call), { dnsNames: ['hooks.default.svc'], addresses: [] })
    const server = await serve({ webhooks: { services: { 'default/hooks': `127.0.0.1:${hook.port}` } } })
    await configure(server, 'validating', hook, { clientConfig: { ...service, caBundle: hook.caBundle } })
    expect((await server.post(URL, job('a'))).status).toBe(201)
    expect(hook.calls.length).toBe(1)
  })
})

describe('the metrics of calls', () => {
  const shown = async (server: Server) => {
    const text = (await server.get('/metrics')).text
    const names = /^apiserver_admission_webhook_(request_total|rejection_count|fail_open_count|.*_seconds_count)\{/
    return text.split('\n').filter((line) => names.test(line))
  }

  it('count refusals, failures that refuse, failures that pass, and what is allowed', async () => {
    const server = await serve()
    const hook = await webhookServer((call) => {
      if (call.request.name === 'broken') return 'nonsense'
      const allowed = call.request.name !== 'refused'
      return verdict(call, { allowed, ...(!allowed && { status: { code: 999 } }) })
    })
    await configure(server, 'validating', hook)
    await configure(server, 'mutating', hook, { failurePolicy: 'Ignore' })
    for (const name of ['good', 'broken', 'refused']) await server.post(URL, job(name))
    const labels = (type: string, more: string) =>
      `{name="${type === 'admit' ? 'mutating' : type}.hooks.test",type="${type}"${more}}`
    const call = (type: string, code: number, rejected: boolean) =>
      `apiserver_admission_webhook_request_total${labels(type, `,operation="CREATE",code="${code}",rejected="${rejected}"`)}`
    const lines = await shown(server)
    expect(lines).toEqual(
      expect.arrayContaining([
        `${call('admit', 200, false)} 1`,
        `${call('admit', 0, false)} 1`,
        `${call('admit', 500, true)} 1`,
        `${call('validating', 200, false)} 1`,
        `${call('validating', 0, true)} 1`,
        `apiserver_admission_webhook_rejection_count${labels('admit', ',operation="CREATE",error_type="no_error",rejection_code="500"')} 1`,
        `apiserver_admission_webhook_rejection_count${labels('validating', ',operation="CREATE",error_type="calling_webhook_error",rejection_code="0"')} 1`,
        `apiserver_admission_webhook_fail_open_count${labels('admit', '')} 1`,
        `apiserver_admission_webhook_admission_duration_seconds_count${labels('admit', ',operation="CREATE",rejected="false"')} 2`,
        `apiserver_admission_webhook_admission_duration_seconds_count${labels('validating', ',operation="CREATE",rejected="true"')} 1`,
      ]),
    )
    expect(lines).toHaveLength(12)
  })
})
