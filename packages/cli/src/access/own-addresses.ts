// The addresses by which other machines may reach this one. The first is that of the default route, since those of bridges to
// containers are of use to nobody else.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'

/** Reserved for documents: nothing is sent, the system only chooses the route. */
const SOMEWHERE_ELSE = '192.0.2.1'
const ANY_PORT = 9

export async function addressesOfThisMachine(): Promise<readonly string[]> {
  const own = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
  const addresses = [...own.filter(({ family }) => family === 'IPv4'), ...own.filter(({ family }) => family !== 'IPv4')]
  const first = await routed()
  return [...new Set([...(first === undefined ? [] : [first]), ...addresses.map(({ address }) => address)])]
}

async function routed(): Promise<string | undefined> {
  const socket = createSocket('udp4')
  try {
    socket.connect(ANY_PORT, SOMEWHERE_ELSE)
    await once(socket, 'connect')
    return socket.address().address
  } catch {
    // There is no route: a machine without a network.
    return undefined
  } finally {
    socket.close()
  }
}
