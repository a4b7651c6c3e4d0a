import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { serveForTest } from './server.ts'

const OWN = process.getuid?.() ?? 0
const SOMEBODY_ELSE = OWN + 4242
const run = promisify(execFile)

/** Runs a program as another user; only root can. `url` is the server's. */
async function asNobody(program: string, url: string): Promise<string> {
  const args = ['--input-type=module', '-e', `const url = ${JSON.stringify(url)}\n${program}`]
  return (await run(process.execPath, args, { uid: 65534, gid: 65534, cwd: '/', env: {} })).stdout.trim()
}

/** Creates ConfigMaps and closes each connection at once, without reading the response. */
const POST_AND_GO = `
import { connect } from 'node:net'
import { once } from 'node:events'
for (let i = 0; i < 40; i++) {
  const body = JSON.stringify({ metadata: { name: 'stranger-' + i } })
  const socket = connect(new URL(url).port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write('POST /api/v1/namespaces/default/configmaps HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Type: application/json\\r\\n' +
    'Content-Length: ' + body.length + '\\r\\n\\r\\n' + body)
  socket.destroySoon()
  await once(socket, 'close')
}`

const VERSION = 'GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n'
const WEBSOCKET =
  'GET /api/v1/namespaces?watch=1 HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

describe.runIf(process.platform === 'linux')('a server for some users of the machine', () => {
  it('serves its own user unless configured otherwise', async () => {
    const server = await serveForTest()
    expect((await server.get('/version')).status).toBe(200)
    expect((await server.get('/version')).status).toBe(200)
  })

  it.each([
    ['a request', VERSION],
    ['a WebSocket', WEBSOCKET],
    ['requests one after the other, with one answer', VERSION.repeat(3)],
  ])('refuses every other one: %s', async (_, request) => {
    const server = await serveForTest({ localUsers: new Set([SOMEBODY_ELSE]) })
    const answer = await server.raw(request)
    expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toContain('Connection: close')
    expect(JSON.parse(body)).toMatchObject({ kind: 'Status', code: 403, reason: 'Forbidden' })
    expect(body).toContain('another user of this machine started this server')
  })

  it('closes while connections are refused and looked up', async () => {
    const server = await serveForTest({ localUsers: new Set([SOMEBODY_ELSE]) })
    const silent = connect(server.port, '127.0.0.1').on('error', () => {})
    await once(silent, 'connect')
    const gone = once(silent, 'close')
    await server.close()
    await gone
  })

  it.runIf(OWN === 0)('does nothing for a user who sends a write and is gone', async () => {
    const server = await serveForTest()
    await asNobody(POST_AND_GO, server.url)
    const list = await server.get('/api/v1/namespaces/default/configmaps')
    const names = list.body.items.map(({ metadata }) => metadata.name)
    expect(names.filter((name) => name.startsWith('stranger'))).toEqual([])
    const ask = "fetch(url + '/version').then(async (r) => console.log(r.status, await r.text()))"
    expect(await asNobody(ask, server.url)).toMatch(/^403 .*may not use it/)
    expect((await server.get('/metrics')).text).toMatch(/homeostat_refused_connections_total\{reason="user"\} [1-9]/)
  })

  it.runIf(OWN === 0)('serves a user that it is configured to serve, and everyone where all may', async () => {
    const ask = "fetch(url + '/version').then((r) => console.log(r.status))"
    for (const localUsers of [new Set([65534]), 'all'] as const)
      expect(await asNobody(ask, (await serveForTest({ localUsers })).url)).toBe('200')
  })
})
