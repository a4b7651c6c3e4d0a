// What web pages can do to a server on this machine, in a real browser, on the plain port and over TLS by either protocol: nothing,
// unless they are its own or were allowed. Over TLS everybody may do everything here and no certificate is verified, so that
// the page's origin alone decides, as with a browser that has a certificate for its user.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type ApiServer, startApiServer, type TlsIdentity } from '@homeostat/apiserver'
import { makePki, readPki } from '@homeostat/apiserver/keys'
import { issueCertificate } from '@homeostat/pki'
import { MemoryStore } from '@homeostat/store'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { need } from './tools.ts'

const tool = need('chromium')
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A name that somebody else controls and points here, as in DNS rebinding.
  '--host-resolver-rules=MAP evil.example 127.0.0.1',
  '--ignore-certificate-errors',
]

const SECRETS = '/api/v1/namespaces/default/secrets'
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

/** Programs for a page, each of which tries one way to the server at `url`; `refused` when the browser gave it nothing. */
const ways = {
  'fetch reads': `
    const answer = await fetch(url + '${SECRETS}').catch(() => undefined)
    return answer?.ok && (await answer.text()).includes('"token"') ? 'the secret' : 'refused'`,
  'a WebSocket reads': `
    const socket = new WebSocket(url.replace(/^http/, 'ws') + '${SECRETS}?watch=1')
    const data = await new Promise((resolve) => {
      socket.onmessage = (event) => resolve(event.data)
      socket.onerror = () => resolve('')
    })
    socket.close()
    return data.includes('"token"') ? 'the secret' : 'refused'`,
  'an EventSource reads': `
    const source = new EventSource(url + '/watch')
    const got = await new Promise((resolve) => {
      source.onopen = () => resolve('events')
      source.onerror = () => resolve('refused')
    })
    source.close()
    return got`,
  'JSON is posted': `
    const headers = { 'content-type': 'application/json' }
    const body = '{"metadata":{"generateName":"json-"}}'
    const answer = await fetch(url + '${CONFIG_MAPS}', { method: 'POST', headers, body }).catch(() => undefined)
    return answer?.status === 201 ? 'written' : 'refused'`,
  'a script is loaded': `
    const script = document.createElement('script')
    script.src = url + '/version'
    document.head.append(script)
    return new Promise((resolve) => {
      script.onload = () => resolve('loaded')
      script.onerror = () => resolve('refused')
    })`,
  'text is posted without a question first': `
    const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"text"}}'
    await fetch(url + '${CONFIG_MAPS}', { method: 'POST', mode: 'no-cors', body }).catch(() => {})
    return 'sent'`,
  'a form is posted': `
    document.body.innerHTML = '<iframe name="target"></iframe><form target="target" method="POST" enctype="text/plain"></form>'
    const field = document.createElement('input')
    Object.assign(field, { name: '{"metadata":{"name":"form"},"data":{"a":"', value: '"}}' })
    const [form] = document.forms
    form.append(field)
    form.action = url + '${CONFIG_MAPS}'
    form.submit()
    return new Promise((resolve) => {
      document.querySelector('iframe').onload = () => resolve('sent')
    })`,
  'a page without an origin posts': `
    const frame = document.createElement('iframe')
    frame.sandbox = 'allow-scripts'
    frame.srcdoc = '<script>fetch("' + url + '${CONFIG_MAPS}",' +
      '{ method: "POST", mode: "no-cors", body: JSON.stringify({ metadata: { name: "sandbox" } }) })' +
      '.finally(() => parent.postMessage("", "*"))</' + 'script>'
    const told = new Promise((resolve) => addEventListener('message', () => resolve('sent')))
    document.body.append(frame)
    return told`,
}

const HOUR_MS = 3_600_000

/** For the server, and for programs that serve pages over TLS. */
async function makeIdentity(): Promise<TlsIdentity> {
  const now = Date.now()
  const { issuingAuthority, caCertificate } = readPki(await makePki(now))
  const serving = issueCertificate(issuingAuthority, {
    commonName: 'server',
    usage: 'server',
    dnsNames: ['localhost'],
    addresses: ['127.0.0.1'],
    notBefore: new Date(now - HOUR_MS),
    notAfter: new Date(now + HOUR_MS),
  })
  return { ...serving, clientAuthorities: caCertificate }
}

describe.skipIf(tool.missing).each([
  { over: 'plain HTTP', scheme: 'http', protocol: 'http/1.1', args: [] },
  { over: 'TLS and HTTP/2', scheme: 'https', protocol: 'h2', args: [] },
  { over: 'TLS and HTTP/1.1', scheme: 'https', protocol: 'http/1.1', args: ['--disable-http2'] },
])('a page in a browser, over $over', ({ scheme, protocol, args }) => {
  let browser: Browser
  let identity: TlsIdentity
  const endings: (() => unknown)[] = []
  beforeAll(async () => {
    identity = await makeIdentity()
    browser = await chromium.launch({ executablePath: tool.path ?? '', args: [...ARGS, ...args], timeout: 120_000 })
  }, 150_000)
  afterAll(async () => {
    await browser?.close()
    for (const end of endings) await end()
  })

  /** A server with a Secret. */
  async function serve(allowOrigins: readonly string[] = []): Promise<string> {
    const store = new MemoryStore()
    const secure = { host: '127.0.0.1', port: 0, identity }
    const server = await startApiServer({ store, host: '127.0.0.1', port: 0, allowOrigins, secure })
    endings.push(async () => {
      await server.close()
      await store.close()
    })
    plainOf.set(urlOf(server), `http://127.0.0.1:${server.address.port}`)
    await post(server, SECRETS, { metadata: { name: 'mine' }, stringData: { token: 'abc' } })
    await post(server, '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'everybody' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'system:anonymous' }],
    })
    server.configureAuthentication({ anonymous: 'anywhere' })
    return urlOf(server)
  }

  /** The plain port of each server, by the address that pages try. */
  const plainOf = new Map<string, string>()

  function urlOf({ address, secure }: ApiServer): string {
    return `${scheme}://127.0.0.1:${scheme === 'http' ? address.port : secure?.address.port}`
  }

  async function post({ address }: ApiServer, path: string, object: object): Promise<void> {
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(object) }
    expect((await fetch(`http://127.0.0.1:${address.port}${path}`, sent)).status).toBe(201)
  }

  /** Some other program of this machine that serves a page, over TLS as the server or without. */
  async function otherServer(isSecure = scheme === 'https'): Promise<string> {
    const page = '<body></body>'
    const server = isSecure ? createSecureServer({ cert: identity.certificate, key: identity.key }) : createServer()
    server.on('request', (_, response) => response.setHeader('content-type', 'text/html').end(page))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    endings.push(() => server.close())
    return `${isSecure ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async function open(url: string): Promise<Page> {
    const page = await browser.newPage()
    await page.goto(url)
    return page
  }

  function attempt(page: Page, way: keyof typeof ways, url: string): Promise<string> {
    return page.evaluate(`(async (url) => {${ways[way]}})(${JSON.stringify(url)})`)
  }

  /** Names of what pages wrote, without what the API server makes itself. */
  async function written(url: string): Promise<string[]> {
    const response = await fetch(`${plainOf.get(url)}${CONFIG_MAPS}`)
    const list = (await response.json()) as { items: { metadata: { name: string } }[] }
    return list.items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt')
  }

  it.each([
    ['of another port of this machine', () => otherServer()],
    ['of another port, without TLS', () => otherServer(false)],
    ['of another name of this machine', async () => (await otherServer()).replace('127.0.0.1', 'localhost')],
    ['of a name that somebody pointed here', async () => (await otherServer()).replace('127.0.0.1', 'evil.example')],
  ])('%s reads and writes nothing', { timeout: 120_000 }, async (_, makePage) => {
    const url = await serve()
    const page = await open(await makePage())
    const got: Record<string, string> = {}
    for (const way of Object.keys(ways) as (keyof typeof ways)[]) got[way] = await attempt(page, way, url)
    expect(new Set(Object.values(got)), JSON.stringify(got)).toEqual(new Set(['refused', 'sent']))
    expect(await written(url)).toEqual([])
  })

  it('is not served under a name that somebody pointed here', { timeout: 120_000 }, async () => {
    const url = await serve()
    const page = await browser.newPage()
    const answer = await page.goto(url.replace('127.0.0.1', 'evil.example'))
    expect(answer?.status()).toBe(403)
    expect(await attempt(page, 'fetch reads', '')).toBe('refused')
    expect(await attempt(page, 'JSON is posted', '')).toBe('refused')
    expect(await written(url)).toEqual([])
  })

  it.each([
    ['of its own', undefined],
    ['of an allowed origin', otherServer],
  ])('%s reads, watches and writes', { timeout: 120_000 }, async (_, makePage) => {
    const origin = await makePage?.()
    const url = await serve(origin === undefined ? [] : [origin])
    const page = await open(origin ?? url)
    const got: Record<string, string> = {}
    for (const way of ['fetch reads', 'a WebSocket reads', 'an EventSource reads', 'JSON is posted'] as const)
      got[way] = await attempt(page, way, url)
    expect(got).toEqual({
      'fetch reads': 'the secret',
      'a WebSocket reads': 'the secret',
      'an EventSource reads': 'events',
      'JSON is posted': 'written',
    })
    expect(await written(url)).toEqual([expect.stringMatching(/^json-/)])
    const spoken = await page.evaluate("performance.getEntriesByType('resource').map((one) => one.nextHopProtocol)")
    // Another origin learns it of no request.
    if (origin === undefined) expect(spoken).toContain(protocol)
  })
})
