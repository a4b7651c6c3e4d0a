import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { PeerUsers } from './peer-users.ts'

const OWN = process.getuid?.()
const linux = it.runIf(process.platform === 'linux')

async function accept(host: string, to = host): Promise<{ client: Socket; accepted: Socket; peers: PeerUsers }> {
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }).listen(0, host)
  await once(server, 'listening')
  const client = connect((server.address() as { port: number }).port, to)
  const [accepted] = (await once(server, 'connection')) as [Socket]
  const peers = new PeerUsers()
  onTestFinished(() => {
    peers.close()
    for (const socket of [client, accepted]) socket.destroy()
    server.close()
  })
  return { client, accepted, peers }
}

linux.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '::1'],
  ['127.0.0.1', '::ffff:127.0.0.1'],
])('a connection to %s by way of %s is of this very user', async (host, to) => {
  const { accepted, peers } = await accept(host, to)
  expect(await peers.of(accepted)).toBe(OWN)
})

linux('a peer that is gone is of no user', async () => {
  const { client, accepted, peers } = await accept('127.0.0.1')
  client.end('all that it had to say')
  client.destroy()
  await once(client, 'close')
  expect(await peers.of(accepted)).toBeUndefined()
})

linux('a peer that resets the connection while it is looked up is of no user', async () => {
  const { client, accepted, peers } = await accept('127.0.0.1')
  const user = peers.of(accepted)
  client.resetAndDestroy()
  expect(await user).toBeUndefined()
})

linux('finds the user of a peer that half-closed and waits for the response', async () => {
  const { client, accepted, peers } = await accept('127.0.0.1')
  client.end('all')
  await once(client, 'finish')
  expect(await peers.of(accepted)).toBe(OWN)
})

linux('looks up many peers in one batch, and none that still waits at close', async () => {
  const { accepted, peers } = await accept('127.0.0.1')
  const many = await Promise.all([
    peers.of(accepted),
    accept('127.0.0.1').then((other) => other.peers.of(other.accepted)),
  ])
  expect(many).toEqual([OWN, OWN])
  const waiting = peers.of(accepted)
  peers.close()
  expect(await waiting).toBeUndefined()
  expect(await peers.of(accepted)).toBeUndefined()
})
