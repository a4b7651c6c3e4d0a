import { once } from 'node:events'
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { type Clock, ManualClock } from '@homeostat/base'
import { issueCertificate, makeAuthority } from '@homeostat/pki'
import { expect, onTestFinished, test } from 'vitest'
import { NotSentError, PeerSessions } from './peer-sessions.ts'

const NOW = Date.now()
const AUTHORITY = makeAuthority(NOW)
const times = { notBefore: new Date(NOW - 3_600_000), notAfter: new Date(NOW + 3_600_000) }
const member = issueCertificate(AUTHORITY, { commonName: 'a', organizations: [], usage: 'client', ...times })
const serving = issueCertificate(AUTHORITY, {
  commonName: 'b',
  usage: 'server',
  dnsNames: ['localhost'],
  ...times,
})

function sessions(clock?: Clock): PeerSessions {
  const all = new PeerSessions(() => ({ ...member, authorities: AUTHORITY.certificate }), clock)
  onTestFinished(() => all.close())
  return all
}

async function peer(): Promise<{ server: Http2SecureServer; address: string }> {
  const server = createSecureServer({ cert: serving.certificate, key: serving.key })
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    if (headers[':path'] === '/never') return
    stream.respond({ ':status': 200 })
    stream.end('there')
  })
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, address: `https://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** What nobody caught, which ends a server. */
function uncaught(): unknown[] {
  const errors: unknown[] = []
  const catchIt = (error: unknown) => void errors.push(error)
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, catchIt)
    onTestFinished(() => void process.off(event, catchIt))
  }
  return errors
}

const ask = (path = '/', signal = new AbortController().signal) => ({
  headers: { ':path': path },
  body: undefined,
  signal,
})

test('a connection that comes about after it was given up disturbs nobody', async () => {
  const errors = uncaught()
  const { server, address } = await peer()
  for (let turns = 0; turns < 30; turns++) {
    const all = sessions()
    const reached = once(server, 'connection')
    const failure = expect(all.send(address, ask('/never'))).rejects.toThrow()
    // At every moment of connecting, and after it.
    for (let round = 0; round < turns; round++) await turn()
    all.close()
    await Promise.all([failure, reached])
    for (let round = 0; round < 5; round++) await turn()
  }
  expect(errors).toEqual([])
})

test('a machine that takes connections and says nothing is given up, and what it says later is not heard', async () => {
  const clock = new ManualClock(0)
  const errors = uncaught()
  const { server } = await peer()
  const taken: Socket[] = []
  const silent = createServer({ pauseOnConnect: true }, (socket) => void taken.push(socket.on('error', () => {})))
  onTestFinished(() => void silent.close())
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const address = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const all = sessions(clock)
  const failures = [1, 2].map(() => expect(all.send(address, ask())).rejects.toBeInstanceOf(NotSentError))
  await once(silent, 'connection')
  clock.advance(2000)
  await Promise.all(failures)
  // Both waited for one connection.
  expect(taken).toHaveLength(1)
  for (const socket of taken) server.emit('connection', socket.resume())
  for (let round = 0; round < 20; round++) await turn()
  expect(errors).toEqual([])
  const again = once(silent, 'connection')
  all.send(address, ask()).catch(() => {})
  await again
})

test('calls share a connection, and one that the other server has ended is replaced', async () => {
  const { server, address } = await peer()
  const sessionsOfServer: ServerHttp2Session[] = []
  server.on('session', (session) => void sessionsOfServer.push(session))
  const all = sessions()
  const texts = async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => all.send(address, ask())))
    return Promise.all(answers.map(async ({ body }) => Buffer.concat(await Array.fromAsync(body)).toString()))
  }
  const all5 = Array(5).fill('there')
  expect(await texts()).toEqual(all5)
  expect(await texts()).toEqual(all5)
  expect(sessionsOfServer).toHaveLength(1)
  const waiting = expect(all.send(address, ask('/never'))).rejects.toThrow()
  await once(server, 'stream')
  sessionsOfServer[0]?.destroy()
  await waiting
  expect(await texts()).toEqual(all5)
  expect(sessionsOfServer).toHaveLength(2)
  all.close()
  await expect(all.send(address, ask())).rejects.toBeInstanceOf(NotSentError)
})
