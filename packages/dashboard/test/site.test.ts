// The site in a server: files with their policy, sessions, and the API under the session's token, over plain HTTP and WebSockets.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readTokenFile, startApiServer } from '@homeostat/apiserver'
import { MemoryStore } from '@homeostat/store'
import { expect, it, onTestFinished } from 'vitest'
import { BuiltPage } from '../src/files/built-page.ts'
import { packFiles } from '../src/files/packed-files.ts'
import { openSite } from '../src/site.ts'

const DOCUMENT = '<!doctype html><meta name="csp-nonce" content="%NONCE%"><script src="/ui/assets/a.js"></script>'
const REVIEW = {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}',
}
const SELF = '/ui/api/apis/authentication.k8s.io/v1/selfsubjectreviews'

async function served(readOnly = false) {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-site-'))
  const pack = join(folder, 'page.pack')
  const files = { 'index.html': DOCUMENT, 'assets/a.js': 'export const a = 1\n'.repeat(20) }
  writeFileSync(pack, packFiles(new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]))))
  const store = new MemoryStore()
  const server = await startApiServer({
    store,
    host: '127.0.0.1',
    port: 0,
    authentication: { staticTokens: readTokenFile('good-token,alice,1,system:masters') },
    site: openSite({ secret: Buffer.from('secret'), server: 'a1b2c3d4', page: new BuiltPage(pack), readOnly }),
  })
  onTestFinished(async () => {
    await server.close()
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const url = `http://127.0.0.1:${server.address.port}`
  const ask = (path: string, init?: RequestInit) => fetch(url + path, init)
  const logIn = async () => {
    const response = await ask('/ui/session', { method: 'POST', body: '{"token":"good-token"}' })
    const { half } = (await response.json()) as { half: string }
    return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '', 'x-homeostat-session': half }
  }
  return { url, ask, logIn }
}

it('every path that is no file shows the document, which may run its own scripts and nothing else', async () => {
  const { ask } = await served()
  const seen = new Set<string>()
  for (const path of ['/ui', '/ui/', '/ui/kinds/-/v1/configmaps?q=%3Cscript%3E', '/ui/../ui/x']) {
    const response = await ask(path)
    expect(response.status).toBe(200)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    expect(await response.text()).toContain(`content="${nonce}"`)
    seen.add(nonce)
  }
  expect(seen.size).toBe(4)
})

it('files are kept for ever by browsers, compressed for those that can; others are not found', async () => {
  const { ask } = await served()
  const file = await ask('/ui/assets/a.js')
  expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(file.headers.get('cache-control')).toContain('immutable')
  expect(await file.text()).toContain('export const a')
  expect((await ask('/ui/assets/b.js')).status).toBe(404)
  expect((await ask('/ui/assets/..%2f..%2fetc/passwd')).status).toBe(404)
  expect((await ask('/uix')).status).toBe(404)
})

it('without a session a request has the rights of its connection', async () => {
  const { ask } = await served()
  const review = (await (await ask(SELF, REVIEW)).json()) as { status: { userInfo: { username: string } } }
  expect(review.status.userInfo.username).toBe('system:admin')
})

it('with a session it has those of the token, and a broken session is refused instead of ignored', async () => {
  const { ask, logIn } = await served()
  const headers = await logIn()
  const review = async (more: Record<string, string>) =>
    (await ask(SELF, { ...REVIEW, headers: { ...REVIEW.headers, ...more } })).json() as Promise<{
      code?: number
      status: { userInfo?: { username: string } }
    }>
  expect((await review(headers)).status.userInfo?.username).toBe('alice')
  expect(await review({ ...headers, cookie: 'homeostat-a1b2c3d4=x' })).toMatchObject({ code: 401 })
  expect(await review({ authorization: 'Bearer good-token' })).toMatchObject({ code: 400 })
})

it('what comes before any authentication is short', async () => {
  const { ask } = await served()
  const body = JSON.stringify({ token: 'x', more: 'x'.repeat(20_000) })
  const chunks = async function* () {
    yield Buffer.from(body)
  }
  for (const sent of [{ body }, { body: chunks(), duplex: 'half' }]) {
    const answer = await ask('/ui/session', { method: 'POST', ...sent } as RequestInit)
    expect([answer.status, ((await answer.json()) as { reason: string }).reason]).toEqual([
      413,
      'RequestEntityTooLarge',
    ])
  }
  // Bodies of the API are as long as they are elsewhere.
  const data = { metadata: { name: 'long' }, data: { a: 'x'.repeat(100_000) } }
  const made = { method: 'POST', headers: REVIEW.headers, body: JSON.stringify(data) }
  expect((await ask('/ui/api/api/v1/namespaces/default/configmaps', made)).status).toBe(201)
})

it('a ticket opens one WebSocket', async () => {
  const { url, ask, logIn } = await served()
  const headers = await logIn()
  const { ticket } = (await (await ask('/ui/ticket', { method: 'POST', headers })).json()) as { ticket: string }
  const path = `${url.replace('http', 'ws')}/ui/api/api/v1/namespaces?watch=1&_accept=application%2Fjson%3Bas%3DTable%3Bv%3Dv1%3Bg%3Dmeta.k8s.io`
  const first = (how: string[]) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(path, how)
      socket.addEventListener('message', ({ data }) => {
        resolve((JSON.parse(String(data)) as { object: { kind: string } }).object.kind)
        socket.close()
      })
      socket.addEventListener('error', () => resolve('refused'))
    })
  expect(await first(['v1.homeostat.io', `ticket.homeostat.io.${ticket}`])).toBe('Table')
  expect(await first(['v1.homeostat.io', `ticket.homeostat.io.${ticket}`])).toBe('refused')
})

it('a read-only site passes reads and questions, and nothing that changes something', async () => {
  const { ask } = await served(true)
  expect((await ask('/ui/api/api/v1/namespaces')).status).toBe(200)
  expect((await ask(SELF, REVIEW)).status).toBe(201)
  const create = { ...REVIEW, body: '{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a"}}' }
  expect((await ask('/ui/api/api/v1/namespaces', create)).status).toBe(403)
  expect((await ask('/ui/api/api/v1/namespaces/default', { method: 'DELETE' })).status).toBe(403)
})

it('a page of another origin gets nothing', async () => {
  const { ask } = await served()
  for (const path of ['/ui', '/ui/session', '/ui/api/api/v1/namespaces']) {
    const response = await ask(path, { headers: { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' } })
    expect(response.status).toBe(403)
  }
})

it('a link to a page may stand anywhere, but what the page asks for and frames of it may not', async () => {
  const { url } = await served()
  const followed = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  const status = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    // fetch would set these headers itself.
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(url + path, { method, headers: { ...followed, ...headers } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject).end()
    })
  expect(await status('/ui/kinds/-/v1/configmaps')).toBe(200)
  for (const path of ['/ui/api/api/v1/secrets', '/api/v1/secrets', '/uix', '/ui/api'])
    expect(await status(path)).toBe(403)
  expect(await status('/ui', { 'sec-fetch-dest': 'iframe' })).toBe(403)
  expect(await status('/ui', { 'sec-fetch-mode': 'no-cors' })).toBe(403)
  expect(await status('/ui', { host: 'evil.example' })).toBe(403)
  expect(await status('/ui', { origin: 'http://evil.example' })).toBe(403)
  expect(await status('/ui/session', {}, 'POST')).toBe(403)
})

it('a session of another server on this machine, or with another half, opens nothing', async () => {
  const [one, two] = [await served(), await served()]
  const mine = await one.logIn()
  const other = await two.logIn()
  const status = async (headers: Record<string, string>) =>
    (await one.ask('/ui/api/api/v1/namespaces', { headers })).status
  expect(await status(mine)).toBe(200)
  // Cookies ignore ports: the other server's cookie may come along, or alone.
  expect(await status({ ...mine, cookie: `homeostat-other=${other.cookie.split('=')[1]}; ${mine.cookie}` })).toBe(200)
  expect(await status({ ...mine, 'x-homeostat-session': other['x-homeostat-session'] })).toBe(401)
  expect(await status({ ...mine, 'x-homeostat-session': '' })).toBe(401)
  expect(await status({ ...mine, 'x-homeostat-session': 'x'.repeat(10_000) })).toBe(401)
  // Without the half the cookie means nothing: the request has the rights of its connection.
  const { cookie } = mine
  const review = (await (await one.ask(SELF, { ...REVIEW, headers: { ...REVIEW.headers, cookie } })).json()) as {
    status: { userInfo: { username: string } }
  }
  expect(review.status.userInfo.username).toBe('system:admin')
})

it('neither the token nor a half is in what anybody can keep: addresses, bodies, or the cookie in the clear', async () => {
  const { ask, logIn } = await served()
  const headers = await logIn()
  expect(headers.cookie).not.toContain('good-token')
  expect(Buffer.from(headers.cookie.split('=')[1] ?? '', 'base64url').toString('latin1')).not.toContain('good-token')
  const { ticket } = (await (await ask('/ui/ticket', { method: 'POST', headers })).json()) as { ticket: string }
  expect(Buffer.from(ticket, 'base64url').toString('latin1')).not.toContain('good-token')
  const begun = await ask('/ui/session', { method: 'POST', body: '{"token":"good-token"}' })
  expect(begun.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict/)
  expect(begun.headers.get('cache-control')).toBe('no-store')
  expect(await begun.text()).not.toContain('good-token')
  const ended = await ask('/ui/session', { method: 'DELETE', headers })
  expect(ended.headers.get('set-cookie')).toMatch(/=; .*Max-Age=0/)
})
