import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { peerUser, userInTable } from './peer-user.ts'

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0 100 0 0 10 0
   1: 0100007F:0BB8 0100007F:A1B2 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0 20 4 30 10 -1
   2: 0100007F:A1B2 0100007F:0BB8 01 00000000:00000000 00:00000000 00000000  1042        0 4713 1 0 20 4 30 10 -1
   3: 00000000000000000000000001000000:A1B3 00000000000000000000000001000000:0BB8 01 00000000:00000000 00:00000000 00000000  1043        0 4714 1 0 20 4 30 10 -1`

it.each<[string, number, number | undefined]>([
  ['127.0.0.1', 0xa1b2, 1042],
  ['::ffff:127.0.0.1', 0xa1b2, 1042],
  ['::1', 0xa1b3, 1043],
  ['127.0.0.1', 0xa1b4, undefined],
  ['127.0.0.2', 0xa1b2, undefined],
])('the peer %s:%i is user %s', (address, port, user) => {
  const remote = { address, port: 3000 }
  expect(userInTable(TABLE, { local: { address, port }, remote })).toBe(user)
})

it.runIf(process.platform === 'linux').each(['127.0.0.1', '::1'])(
  'a connection to %s is of this very user',
  async (host) => {
    const server = createServer().listen(0, host)
    await once(server, 'listening')
    const client = connect((server.address() as { port: number }).port, host)
    const [accepted] = (await once(server, 'connection')) as [Socket]
    expect(peerUser(accepted)).toBe(process.getuid?.())
    client.destroy()
    accepted.destroy()
    server.close()
  },
)
