// Parses rows of /proc/net/tcp and tcp6 to find the user at the other end of an accepted loopback connection. Pure;
// peer-users.ts passes the bytes. A row that is not conclusive leaves the user unknown.

export interface End {
  readonly address: string
  readonly port: number
}

/** An accepted connection whose peer is looked up. */
export interface Sought {
  /** Both addresses in the table's notation, the peer's first. */
  readonly key: string
  /** The inode of the server's own socket. */
  readonly inode: number
  /** Set when the table has the server's own end: the connection is still the accepted one. */
  live: boolean
  /** The user in the peer's row, or `unknown` when the row is not conclusive. Undefined until the row is found. */
  user: number | 'unknown' | undefined
}

export function seek(peer: End, own: End, inode: number): Sought {
  return { key: `${hexEnd(peer)} ${hexEnd(own)}`, inode, live: false, user: undefined }
}

export function isFound({ live, user }: Sought): boolean {
  return live && user !== undefined
}

/** The length of an address, colon and port in the table. */
export const TABLE_WIDTHS = { tcp: 13, tcp6: 37 } as const

/**
 * Records in `sought`, by key, what the rows say, and removes a connection when both its rows are found. `bytes` are whole
 * rows. Every sought connection is to `port`, so rows of other ports cost only a few comparisons: the table may have a
 * hundred thousand.
 */
export function readRows(bytes: Buffer, width: number, port: number, sought: Map<string, Sought>): void {
  const digits = Buffer.from(hexPort(port), 'latin1')
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = newline < 0 ? bytes.length : newline
    // "   0: LOCAL REMOTE ..."; the header row has no colon.
    const local = bytes.indexOf(COLON, start) + 2
    if (local === 1) return
    if (local < end) {
      const remote = local + width + 1
      const toServer = hasDigits(bytes, remote + width - PORT_DIGITS, digits)
      const fromServer = hasDigits(bytes, local + width - PORT_DIGITS, digits)
      if (toServer || fromServer) {
        const ends = bytes.toString('latin1', local, remote + width)
        const one = plain(ends.slice(0, width))
        const other = plain(ends.slice(width + 1))
        const peers = toServer ? sought.get(`${one} ${other}`) : undefined
        const own = fromServer ? sought.get(`${other} ${one}`) : undefined
        if (peers || own) note(bytes.toString('latin1', remote + width, end), peers, own)
        for (const seen of [peers, own]) if (seen && isFound(seen)) sought.delete(seen.key)
      }
    }
    start = end + 1
  }
}

function note(rest: string, peers: Sought | undefined, own: Sought | undefined): void {
  const [, state, uid, inode] = FIELDS.exec(rest) ?? []
  if (own && Number(inode) === own.inode) own.live = true
  // Without an inode no process holds the socket, and the kernel shows user 0. A socket in SYN_SENT reuses the address of a
  // closed peer.
  if (peers) peers.user = inode === undefined || inode === '0' || state === SYN_SENT ? 'unknown' : Number(uid)
}

/** State, queues, timer, retransmissions, uid, timeout, inode. */
const FIELDS = /^ ([0-9A-F]{2}) \S+ \S+ \S+ +(\d+) +\d+ (\d+)(?: |$)/
const SYN_SENT = '02'
const NEWLINE = 10
const COLON = 58
const PORT_DIGITS = 4

function hasDigits(bytes: Buffer, at: number, digits: Buffer): boolean {
  return (
    bytes[at] === digits[0] && bytes[at + 1] === digits[1] && bytes[at + 2] === digits[2] && bytes[at + 3] === digits[3]
  )
}

/** Unmaps an IPv4-mapped address: a client with an IPv6 socket to an IPv4 address is listed in tcp6. */
function plain(end: string): string {
  return end.startsWith(MAPPED) ? end.slice(MAPPED.length) : end
}

const MAPPED = '0000000000000000FFFF0000'
const LOOPBACK_6 = '00000000000000000000000001000000'

/** Each group of four bytes is in host byte order: little endian on every Linux that Node supports but s390x. */
function hexEnd({ address, port }: End): string {
  if (address === '::1') return `${LOOPBACK_6}:${hexPort(port)}`
  const bytes = address.replace(/^::ffff:/i, '').split('.')
  const hex = bytes
    .reverse()
    .map((byte) => Number(byte).toString(16).toUpperCase().padStart(2, '0'))
    .join('')
  return `${hex}:${hexPort(port)}`
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(PORT_DIGITS, '0')
}
