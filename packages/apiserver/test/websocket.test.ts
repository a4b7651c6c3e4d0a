import { connect, type Socket } from 'node:net'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { CONFIG_MAPS, configMap } from './definitions.ts'
import { serve, serveForTest } from './server.ts'
import { story, type WatchEvent } from './watching.ts'

const server = await serve()
afterAll(() => server.close())

describe('a watch over a WebSocket', () => {
  it('sends one text message per event, live and from the start', async () => {
    await server.post(CONFIG_MAPS, configMap('before'))
    const watch = await open(`${CONFIG_MAPS}?watch=true&fieldSelector=metadata.name=before`)
    expect(story([await watch.next()])).toBe('ADDED before')
    const { body } = await server.patch(`${CONFIG_MAPS}/before`, { data: { text: 'ä'.repeat(70_000) } })
    const event = await watch.next()
    expect(event).toEqual({ type: 'MODIFIED', object: body })
    await server.delete(`${CONFIG_MAPS}/before`)
    expect(story([await watch.next()])).toBe('DELETED before')
  })

  it('goes on beside watches over HTTP of the same objects', async () => {
    const [plain, socket] = [await server.watch(CONFIG_MAPS), await open(`${CONFIG_MAPS}?watch=true`)]
    for (const name of ['one', 'two', 'three']) await server.post(CONFIG_MAPS, configMap(name))
    const until = ({ object }: WatchEvent) => object.metadata.name === 'three'
    const seen: WatchEvent[] = []
    while (!seen.some(until)) seen.push(await socket.next())
    expect(seen).toEqual(await plain.until(until))
  })

  it('ends at its time with a close that says all is well', async () => {
    const watch = await open(`${CONFIG_MAPS}?watch=true&timeoutSeconds=1`)
    expect(await watch.closed).toMatchObject({ code: 1000, wasClean: true })
  })

  it('ends with the server', async () => {
    const own = await serve()
    const watch = await open(`${CONFIG_MAPS}?watch=true`, [], own.port)
    await own.close()
    expect(await watch.closed).toMatchObject({ code: 1000, wasClean: true })
  })

  it('is let go when the client closes it', async () => {
    const own = await serveForTest()
    const watch = await open(`${CONFIG_MAPS}?watch=true`, [], own.port)
    const count = async () => /^apiserver_longrunning_requests\S* (\d+)/m.exec((await own.get('/metrics')).text)?.[1]
    expect(await count()).not.toBe('0')
    watch.socket.close()
    expect(await watch.closed).toMatchObject({ wasClean: true })
    await expect.poll(count).toBe('0')
  })

  it('marks where what exists ends', async () => {
    const watch = await open(`${CONFIG_MAPS}?watch=true&allowWatchBookmarks=true`)
    const events: WatchEvent[] = []
    while (events.at(-1)?.type !== 'BOOKMARK') events.push(await watch.next())
    expect(events.at(-1)?.object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' })
  })

  it('answers with a protocol that was offered', async () => {
    const watch = await open(`${CONFIG_MAPS}?watch=true`, ['base64.binary.k8s.io', 'v4.channel.k8s.io'])
    expect(watch.socket.protocol).toBe('base64.binary.k8s.io')
  })

  it('also goes by the old watch paths', async () => {
    const watch = await open('/api/v1/watch/namespaces/default/configmaps')
    await server.post(CONFIG_MAPS, configMap('seen-by-old-path'))
    while ((await watch.next()).object.metadata.name !== 'seen-by-old-path');
  })
})

describe('on the wire', () => {
  it('answers pings, and ends a client whose frames are not masked', async () => {
    const socket = await raw(`${CONFIG_MAPS}?watch=1&resourceVersion=${await server.store.revision()}`)
    socket.write(Buffer.from([0x89, 0x82, 0, 0, 0, 0, 0x68, 0x69]))
    expect(await socket.read(4)).toEqual(Buffer.from([0x8a, 2, 0x68, 0x69]))
    socket.write(Buffer.from([0x81, 2, 0x68, 0x69]))
    // A close frame with 1002, protocol error.
    expect(await socket.read(4)).toEqual(Buffer.from([0x88, 2, 0x03, 0xea]))
    await socket.closed
  })

  it('ends a client that does nothing but ping', async () => {
    const socket = await raw(`${CONFIG_MAPS}?watch=1&resourceVersion=${await server.store.revision()}`)
    socket.write(Buffer.concat(Array.from({ length: 101 }, () => Buffer.from([0x89, 0x80, 0, 0, 0, 0]))))
    // A length that is never sent in full.
    void socket.read(1 << 20)
    await socket.closed
  })

  it.each([
    ['a path that is not there', '/apis/none.example.com/v1/things?watch=1', '', 404],
    ['a page from elsewhere', `${CONFIG_MAPS}?watch=1`, 'Origin: https://evil.example.com\r\n', 403],
    ['a bad parameter', `${CONFIG_MAPS}?watch=1&resourceVersionMatch=Exact`, '', 422],
    ['an unreadable token', `${CONFIG_MAPS}?watch=1`, protocols('a', bearer('++')), 401],
    ['a token alone', `${CONFIG_MAPS}?watch=1`, protocols(bearer('dG9rZW4')), 401],
    ['what is no watch', `${CONFIG_MAPS}?limit=1`, '', 200],
  ])('answers %s as HTTP and closes', async (_what, path, headers, status) => {
    const socket = await raw(path, headers)
    expect(socket.head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(socket.head).toMatch(/connection: close/i)
    await socket.closed
  })

  it('lets other upgrades pass, as if they had not been offered', async () => {
    const answer = await server.raw(
      'GET /version HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\n' +
        'HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1.1 200 /)
  })

  it('refuses a handshake without a key', async () => {
    const answer = await server.raw(
      `GET ${CONFIG_MAPS}?watch=1 HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
  })

  it('ends a watcher that does not read at a bounded buffer, after a whole event', async () => {
    const own = await serveForTest()
    const socket = await raw(`${CONFIG_MAPS}?watch=1`, '', own.port)
    const data = { text: 'x'.repeat(512 << 10) }
    const slow = async () => /reason="slow"[^\n]* 1\n/.test((await own.get('/metrics')).text)
    for (let i = 0; !(await slow()); i++) {
      expect(i).toBeLessThan(100)
      await own.post(CONFIG_MAPS, configMap(`big-${i}`, data))
    }
    for (;;) {
      const [kind = 0, short = 0] = await socket.read(2)
      if (kind === 0x88) break
      expect(kind).toBe(0x81)
      const length =
        short === 127 ? Number((await socket.read(8)).readBigUInt64BE()) : (await socket.read(2)).readUInt16BE()
      expect((JSON.parse((await socket.read(length)).toString()) as WatchEvent).type).toBe('ADDED')
    }
  })
})

function bearer(token: string): string {
  return `base64url.bearer.authorization.k8s.io.${token}`
}

function protocols(...names: string[]): string {
  return `Sec-WebSocket-Protocol: ${names.join(', ')}\r\n`
}

async function open(path: string, offered: string[] = [], port = server.port) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, offered)
  onTestFinished(() => socket.close())
  const events: WatchEvent[] = []
  let wake = () => {}
  socket.addEventListener('message', ({ data }) => {
    expect(typeof data).toBe('string')
    events.push(JSON.parse(data as string) as WatchEvent)
    wake()
  })
  const closed = new Promise<{ code: number; wasClean: boolean }>((resolve) =>
    socket.addEventListener('close', resolve),
  )
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  const next = async (): Promise<WatchEvent> => {
    for (;;) {
      const event = events.shift()
      if (event) return event
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return { socket, next, closed }
}

interface RawSocket {
  readonly head: string
  read(length: number): Promise<Buffer>
  write(bytes: Buffer): void
  readonly closed: Promise<void>
}

/** Sends a raw handshake and then the bytes. */
async function raw(path: string, headers = '', port = server.port): Promise<RawSocket> {
  const socket: Socket = connect(port, '127.0.0.1')
  onTestFinished(() => socket.destroy() as unknown as undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n${headers}\r\n`,
  )
  let kept = Buffer.alloc(0)
  let wake = () => {}
  socket.pause()
  socket.on('data', (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk])
    socket.pause()
    wake()
  })
  const read = async (length: number): Promise<Buffer> => {
    while (kept.length < length) {
      socket.resume()
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    const bytes = kept.subarray(0, length)
    kept = kept.subarray(length)
    return bytes
  }
  let head = ''
  while (!head.endsWith('\r\n\r\n')) head += (await read(1)).toString('latin1')
  if (!head.startsWith('HTTP/1.1 101')) socket.resume()
  return { head, read, write: (bytes) => socket.write(bytes), closed }
}
