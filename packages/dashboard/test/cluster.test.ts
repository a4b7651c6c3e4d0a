// The port of `homeostat dashboard` as an attacker sees it.

import { execFile } from 'node:child_process'
import { request } from 'node:http'
import { promisify } from 'node:util'
import { silentLog } from '@homeostat/base'
import type { Transport, TransportRequest } from '@homeostat/client'
import { expect, it, onTestFinished } from 'vitest'
import { serveCluster } from '../src/cluster/serve-cluster.ts'

async function served(readOnly = false, warned: (line: object) => void = () => {}) {
  const asked: TransportRequest[] = []
  const transport: Transport = {
    async send(sent) {
      asked.push(sent)
      const page = Buffer.from('<script>alert(1)</script>')
      const headers: Record<string, string> = {
        'content-type': 'text/html',
        'set-cookie': 'a=b',
        location: 'http://evil.example',
      }
      return {
        status: 200,
        header: (name) => headers[name],
        body: (async function* () {
          yield page
        })(),
      }
    },
    close() {},
  }
  const log = { ...silentLog, warn: warned }
  const cluster = await serveCluster({ transport, port: 0, readOnly, log })
  onTestFinished(() => cluster.close())
  const base = cluster.url.replace(/\/ui$/, '')
  return { asked, ask: (path: string, init?: RequestInit) => fetch(base + path, { redirect: 'manual', ...init }), base }
}

/** fetch would tidy up the path and set the host. */
function raw(base: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const { port } = new URL(base)
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end()
  })
}

it('is for pages of its own: other hosts, other origins and frames of others get nothing', async () => {
  const { asked, ask, base } = await served()
  const api = '/ui/api/api/v1/secrets'
  expect(await raw(base, api, { host: 'evil.example' })).toBe(403)
  expect(await raw(base, api, { host: 'localhost.evil.example' })).toBe(403)
  for (const origin of ['http://evil.example', 'http://127.0.0.1:1', 'null', base.replace('http', 'https')])
    expect((await ask(api, { headers: { origin } })).status).toBe(403)
  expect((await ask(api, { headers: { 'sec-fetch-site': 'same-site' } })).status).toBe(403)
  expect((await ask(api, { method: 'POST', headers: { origin: 'http://127.0.0.1:1' }, body: '{}' })).status).toBe(403)
  expect(asked).toEqual([])
})

it('passes headers of the page alone, and returns none that could act in a browser', async () => {
  const { asked, ask } = await served()
  const answer = await ask('/ui/api/api/v1/x?a=b', {
    headers: { cookie: 'x=y', 'x-forwarded-user': 'root', 'impersonate-user': 'root', accept: 'application/json' },
  })
  expect(asked[0]).toMatchObject({ method: 'GET', path: '/api/v1/x?a=b', headers: { accept: 'application/json' } })
  expect(Object.keys(asked[0]?.headers ?? {})).toEqual(['accept'])
  expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('x-frame-options')).toBe('DENY')
  expect(answer.headers.get('set-cookie')).toBeNull()
  expect(answer.headers.get('location')).toBeNull()
})

it('nothing but the API is reached below /ui/api, and nothing at all beside /ui', async () => {
  const { asked, base, ask } = await served()
  expect((await ask('/')).headers.get('location')).toBe('/ui')
  for (const path of [
    '/api/v1/secrets',
    '/uiapi/x',
    '/ui/../api/v1/secrets',
    '//ui/api/x',
    'http://evil.example/ui/api',
  ])
    await raw(base, path)
  expect(asked.filter(({ path }) => path !== '/api/v1/secrets')).toEqual([])
  for (const path of ['/ui/api/../../x', '/ui/api/a/%2e%2E/x', '/ui/api/a/..']) expect(await raw(base, path)).toBe(400)
  expect(await raw(base, '/ui/api//evil.example/x')).toBe(200)
  // A path, whatever it looks like: the cluster's address is put in front.
  expect(asked.at(-1)?.path.startsWith('/')).toBe(true)
})

it('takes no credentials of others', async () => {
  const { ask, asked } = await served()
  expect((await ask('/ui/api/api/v1/x', { headers: { authorization: 'Bearer a' } })).status).toBe(400)
  expect((await ask('/ui/session', { method: 'POST', body: '{"token":"a"}' })).status).toBe(403)
  expect(asked).toEqual([])
})

it('refuses a body larger than any object', async () => {
  const { ask, asked } = await served()
  const answer = await ask('/ui/api/api/v1/x', { method: 'POST', body: 'x'.repeat((3 << 20) + 1) })
  expect(await answer.json()).toMatchObject({ kind: 'Status', code: 413 })
  expect(asked).toEqual([])
})

it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'another user of the machine gets nothing, and fills no log',
  async () => {
    const lines: object[] = []
    const { asked, base } = await served(false, (line) => lines.push(line))
    const program = `
      const statuses = []
      for (const path of ['/ui', '/ui/api/api/v1/secrets', '/ui/ticket', '/'])
        statuses.push((await fetch(${JSON.stringify(base)} + path, { redirect: 'manual' })).status)
      const socket = new WebSocket(${JSON.stringify(base.replace('http', 'ws'))} + '/ui/api/api/v1/secrets?watch=1')
      statuses.push(await new Promise((resolve) => { socket.onopen = () => resolve('open'); socket.onerror = () => resolve('refused') }))
      console.log(JSON.stringify(statuses))`
    const args = ['--input-type=module', '-e', program]
    const { stdout } = await promisify(execFile)(process.execPath, args, { uid: 65534, gid: 65534, cwd: '/', env: {} })
    expect(JSON.parse(stdout)).toEqual([403, 403, 403, 403, 'refused'])
    expect(asked).toEqual([])
    expect(lines).toEqual([{ user: 65534 }])
  },
)
