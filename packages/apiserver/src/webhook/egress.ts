// Which addresses the server connects to when it calls a webhook. Link-local addresses and those of cloud metadata services
// are refused unless the operator of the server allows them: whoever may register a webhook must not read them through it.

import { BlockList, isIP, isIPv6 } from 'node:net'
import { once } from '@homeostat/base'

export interface Egress {
  /** Why the address is refused; undefined when it may be connected to. */
  problemOf(address: string): string | undefined
}

/** `allow` are addresses and networks such as 169.254.10.0/24. Throws an Error that names one that is neither. */
export function makeEgress(allow: readonly string[] = []): Egress {
  // Made for the first webhook: reading addresses compiles Node's patterns for them.
  const refused = once(() => blockList(REFUSED))
  const allowed = blockList(allow)
  return {
    problemOf(address) {
      const family = isIPv6(address) ? 'ipv6' : 'ipv4'
      const bare = address.split('%')[0] as string
      if (!refused().check(bare, family) || allowed.check(bare, family)) return undefined
      return `${address} is a link-local, metadata or otherwise reserved address, which webhooks must not have; --webhook-allow-address permits it`
    },
  }
}

/** With the forms of IPv6 that carry an IPv4 address; BlockList itself knows the mapped one, ::ffff:a.b.c.d. */
const REFUSED = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '255.255.255.255',
  '::/96',
  'fe80::/10',
  'ff00::/8',
  '64:ff9b::a9fe:0/112',
  '2002:a9fe::/32',
  // Metadata and host services of clouds outside of the link-local range.
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd20:ce::254',
]
/** Is in ::/96 but is this machine. */
const LOOPBACK = '::1'

function blockList(networks: readonly string[]): { check(address: string, family: 'ipv4' | 'ipv6'): boolean } {
  const list = new BlockList()
  for (const network of networks) add(list, network)
  return { check: (address, family) => address !== LOOPBACK && list.check(address, family) }
}

function add(list: BlockList, network: string): void {
  const [address = '', prefix, ...rest] = network.split('/')
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  const bits = prefix === undefined ? undefined : Number(prefix)
  const most = family === 'ipv6' ? 128 : 32
  if (isIP(address) === 0 || rest.length > 0 || (bits !== undefined && !(/^\d+$/.test(prefix ?? '') && bits <= most)))
    throw new Error(`"${network}" is neither an IP address nor a network such as 169.254.10.0/24`)
  if (bits === undefined) list.addAddress(address, family)
  else list.addSubnet(address, bits, family)
}
