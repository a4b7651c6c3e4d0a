import { expect, it } from 'vitest'
import { readRows, type Sought, seek, TABLE_WIDTHS } from './peer-table.ts'

const TCP = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0 100 0 0 10 0
   1: 0100007F:0BB8 0100007F:A1B2 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0 20 4 30 10 -1
   2: 0100007F:A1B2 0100007F:0BB8 01 00000000:00000000 00:00000000 00000000  1042        0 4713 1 0 20 4 30 10 -1
   3: 0100007F:A1B2 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 4720 1 0 20 4 30 10 -1
   4: 0100007F:0BB8 0100007F:A1C0 08 00000000:00000000 00:00000000 00000000     0        0 4730 1 0 20 4 30 10 -1
   5: 0100007F:A1C0 0100007F:0BB8 06 00000000:00000000 03:0000176E 00000000     0        0 0 3 0000000000000000
   6: 0100007F:0BB8 0100007F:A1C1 08 00000000:00000000 00:00000000 00000000     0        0 4731 1 0 20 4 30 10 -1
   7: 0100007F:A1C1 0100007F:0BB8 02 00000001:00000000 01:00000013 00000000     0        0 4732 2 0000000000000000
   8: 0100007F:0BB8 0100007F:A1C2 01 00000000:00000000 00:00000000 00000000     0        0 9999 1 0 20 4 30 10 -1
   9: 0100007F:A1C2 0100007F:0BB8 01 00000000:00000000 00:00000000 00000000     0        0 4734 1 0 20 4 30 10 -1
  10: 0200007F:0BB8 0100007F:0BB8 01 00000000:00000000 00:00000000 00000000  1050        0 4740 1 0 20 4 30 10 -1
12345: 0100007F:0BB8 0200007F:0BB8 01 00000000:00000000 00:00000000 00000000     0        0 4741 1 0 20 4 30 10 -1
  12: 0100007F:0BB8 0100007F:A1C3 01 00000000:00000000 00:00000000 00000000     0        0 4742 1 0 20 4 30 10 -1
`
const TCP6 = `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000001000000:A1B3 00000000000000000000000001000000:0BB8 01 00000000:00000000 00:00000000 00000000  1043        0 4714 1 0 20 4 30 10 -1
   1: 00000000000000000000000001000000:0BB8 00000000000000000000000001000000:A1B3 01 00000000:00000000 00:00000000 00000000     0        0 4715 1 0 20 4 30 10 -1
   2: 0000000000000000FFFF00000100007F:A1C3 0000000000000000FFFF00000100007F:0BB8 01 00000000:00000000 00:00000000 00000000  1044        0 4716 1 0 20 4 30 10 -1
`

function look(address: string, port: number, inode: number): Pick<Sought, 'live' | 'user'> & { left: number } {
  const own = { address: address === '127.0.0.2' ? '127.0.0.1' : address, port: 3000 }
  const one = seek({ address, port }, own, inode)
  const sought = new Map([[one.key, one]])
  readRows(Buffer.from(TCP), TABLE_WIDTHS.tcp, 3000, sought)
  readRows(Buffer.from(TCP6), TABLE_WIDTHS.tcp6, 3000, sought)
  return { live: one.live, user: one.user, left: sought.size }
}

it.each<[string, string, number, number, Pick<Sought, 'live' | 'user'>]>([
  ['an IPv4 peer', '127.0.0.1', 0xa1b2, 4712, { live: true, user: 1042 }],
  ['an IPv4 peer in IPv6 notation', '::ffff:127.0.0.1', 0xa1b2, 4712, { live: true, user: 1042 }],
  ['an IPv6 peer', '::1', 0xa1b3, 4715, { live: true, user: 1043 }],
  ['a peer with an IPv6 socket to an IPv4 address', '127.0.0.1', 0xa1c3, 4742, { live: true, user: 1044 }],
  ['a peer with the same port as the server', '127.0.0.2', 3000, 4741, { live: true, user: 1050 }],
  ['a peer that is gone: its row has user 0 and no inode', '127.0.0.1', 0xa1c0, 4730, { live: true, user: 'unknown' }],
  ['a peer that is gone, its port on its way to another', '127.0.0.1', 0xa1c1, 4731, { live: true, user: 'unknown' }],
  ['a connection that was replaced by another of the same ends', '127.0.0.1', 0xa1c2, 4733, { live: false, user: 0 }],
  ['a peer without a row', '127.0.0.1', 0xa1b4, 4712, { live: false, user: undefined }],
])('%s', (_, address, port, inode, expected) => {
  const found = expected.live && expected.user !== undefined
  expect(look(address, port, inode)).toEqual({ ...expected, left: found ? 0 : 1 })
})

it('a row that is cut off tells nothing', () => {
  const one = seek({ address: '127.0.0.1', port: 0xa1b2 }, { address: '127.0.0.1', port: 3000 }, 4712)
  const cut = TCP.slice(0, TCP.indexOf('1042') + 2)
  readRows(Buffer.from(cut), TABLE_WIDTHS.tcp, 3000, new Map([[one.key, one]]))
  expect(one).toMatchObject({ live: true, user: 'unknown' })
})
