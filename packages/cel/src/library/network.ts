// IP addresses and networks: Kubernetes' ip and cidr. Addresses are bytes; what is mapped from IPv4 to IPv6 is refused.

import { noOverload } from '../evaluate/failures.ts'
import { define, global, type Library, member } from '../functions/declaration.ts'
import { boolType, intType, opaqueType, stringType } from '../types/cel-type.ts'
import { Failure, Opaque, type Value } from '../values/value.ts'
import { addressText, parseAddress } from './ip-address.ts'

const ipType = opaqueType('net.IP')
const cidrType = opaqueType('net.CIDR')

class IpAddress extends Opaque {
  readonly type = ipType
  readonly bytes: readonly number[]
  override readonly size: number

  constructor(bytes: readonly number[]) {
    super()
    this.bytes = bytes
    this.size = bytes.length
  }

  equals(other: Opaque): boolean {
    return other instanceof IpAddress && other.size === this.size && sharePrefix(this.bytes, other.bytes, 8 * this.size)
  }
}

class Network extends Opaque {
  readonly type = cidrType
  readonly address: readonly number[]
  readonly bits: number
  override readonly size: number

  constructor(address: readonly number[], bits: number) {
    super()
    this.address = address
    this.bits = bits
    this.size = Math.ceil(bits / 8)
  }

  equals(other: Opaque): boolean {
    if (!(other instanceof Network) || other.bits !== this.bits || other.address.length !== this.address.length)
      return false
    return sharePrefix(this.address, other.address, 8 * this.address.length)
  }

  masked(): Network {
    return new Network(maskedTo(this.address, this.bits), this.bits)
  }

  contains(address: readonly number[]): boolean {
    return address.length === this.address.length && sharePrefix(address, this.address, this.bits)
  }
}

/** Whether two addresses of one length begin with the same bits. */
function sharePrefix(one: readonly number[], other: readonly number[], bits: number): boolean {
  const whole = bits >> 3
  for (let at = 0; at < whole; at++) if (one[at] !== other[at]) return false
  return bits === 8 * whole || ((one[whole] as number) ^ (other[whole] as number)) >> (8 - (bits & 7)) === 0
}

function maskedTo(address: readonly number[], bits: number): number[] {
  return address.map((byte, index) => byte & (0xff << Math.max(0, Math.min(8, 8 * (index + 1) - bits))) & 0xff)
}

function networkText({ address, bits }: Network): string {
  return `${addressText(address)}/${bits}`
}

function parseIp(text: string): IpAddress | Failure {
  const address = parseAddress(text)
  if (typeof address === 'string') {
    return new Failure(
      `IP Address ${quoted(text)} parse error during conversion from string: ParseAddr(${quoted(text)}): ${address}`,
    )
  }
  if (address.hasZone) return new Failure(`IP address ${quoted(text)} with zone value is not allowed`)
  if (isMapped(address.bytes)) return new Failure(`IPv4-mapped IPv6 address ${quoted(text)} is not allowed`)
  return new IpAddress(address.bytes)
}

const mapped = [...new Array(10).fill(0), 0xff, 0xff]

function isMapped(bytes: readonly number[]): boolean {
  return bytes.length === 16 && sharePrefix(bytes, mapped, 96)
}

function isIp(text: string): boolean {
  const address = parseAddress(text)
  return typeof address !== 'string' && !address.hasZone && !isMapped(address.bytes)
}

/** Kubernetes writes it twice. */
const cidrError = 'network address parse error during conversion from string'

function parseCidr(text: string): Network | Failure {
  const refused = (why: string) => new Failure(`${cidrError}: ${cidrError}: netip.ParsePrefix(${quoted(text)}): ${why}`)
  const slash = text.lastIndexOf('/')
  if (slash < 0) return refused("no '/'")
  const address = parseAddress(text.slice(0, slash))
  if (typeof address === 'string') return refused(`ParseAddr(${quoted(text.slice(0, slash))}): ${address}`)
  if (address.hasZone) return refused('IPv6 zones cannot be present in a prefix')
  const bits = wholeNumber(text, slash + 1)
  if (bits === undefined) return refused(`bad bits after slash: ${quoted(text.slice(slash + 1))}`)
  if (bits > address.bytes.length * 8) return refused('prefix length out of range')
  if (isMapped(address.bytes)) return new Failure(`IPv4-mapped IPv6 address ${quoted(text)} is not allowed`)
  return new Network(address.bytes, bits)
}

/** Of the digits from there on, without leading zeros. */
function wholeNumber(text: string, start: number): number | undefined {
  let value = 0
  for (let at = start; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9 || (at > start && value === 0)) return undefined
    value = value * 10 + digit
  }
  return text.length === start ? undefined : value
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

const isLoopback = ({ bytes }: IpAddress) =>
  bytes.length === 4 ? bytes[0] === 127 : bytes.every((byte, i) => byte === (i === 15 ? 1 : 0))
const isUnspecified = ({ bytes }: IpAddress) => bytes.every((byte) => byte === 0)
const isMulticast = ({ bytes }: IpAddress) =>
  bytes.length === 4 ? ((bytes[0] as number) & 0xf0) === 0xe0 : bytes[0] === 0xff

function isLinkLocalMulticast({ bytes }: IpAddress): boolean {
  if (bytes.length === 4) return bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0
  return bytes[0] === 0xff && ((bytes[1] as number) & 0x0f) === 2
}

function isLinkLocalUnicast({ bytes }: IpAddress): boolean {
  if (bytes.length === 4) return bytes[0] === 169 && bytes[1] === 254
  return bytes[0] === 0xfe && ((bytes[1] as number) & 0xc0) === 0x80
}

function isGlobalUnicast(ip: IpAddress): boolean {
  const isBroadcast = ip.bytes.length === 4 && ip.bytes.every((byte) => byte === 255)
  return !isBroadcast && !isUnspecified(ip) && !isLoopback(ip) && !isMulticast(ip) && !isLinkLocalUnicast(ip)
}

function containsIp(network: Network, ip: IpAddress | string): Value {
  const parsed = typeof ip === 'string' ? parseIp(ip) : ip
  return parsed instanceof Failure ? noOverload : network.contains(parsed.bytes)
}

function containsCidr(network: Network, inner: Network | string): Value {
  const parsed = typeof inner === 'string' ? parseCidr(inner) : inner
  return parsed instanceof Failure ? parsed : network.bits <= parsed.bits && network.contains(parsed.address)
}

function isCanonical(text: string): Value {
  const ip = parseIp(text)
  return ip instanceof Failure ? ip : addressText(ip.bytes) === text
}

const ofIp = (name: string, id: string, call: (ip: IpAddress) => Value) =>
  define(name, member(id, [ipType], boolType, call))

export const networkLibrary: Library = {
  functions: [
    define(
      'ip',
      global('string_to_ip', [stringType], ipType, parseIp),
      member('cidr_ip', [cidrType], ipType, ({ address }: Network) => new IpAddress(address)),
    ),
    define('isIP', global('is_ip', [stringType], boolType, isIp)),
    define('ip.isCanonical', global('ip_is_canonical', [stringType], boolType, isCanonical)),
    define(
      'family',
      member('ip_family', [ipType], intType, ({ bytes }: IpAddress) => (bytes.length === 4 ? 4 : 6)),
    ),
    ofIp('isUnspecified', 'ip_is_unspecified', isUnspecified),
    ofIp('isLoopback', 'ip_is_loopback', isLoopback),
    ofIp('isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast),
    ofIp('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
    ofIp('isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast),
    define('cidr', global('string_to_cidr', [stringType], cidrType, parseCidr)),
    define(
      'isCIDR',
      global('is_cidr', [stringType], boolType, (text: string) => !(parseCidr(text) instanceof Failure)),
    ),
    define(
      'containsIP',
      member('cidr_contains_ip_string', [cidrType, stringType], boolType, containsIp),
      member('cidr_contains_ip_ip', [cidrType, ipType], boolType, containsIp),
    ),
    define(
      'containsCIDR',
      member('cidr_contains_cidr_string', [cidrType, stringType], boolType, containsCidr),
      member('cidr_contains_cidr', [cidrType, cidrType], boolType, containsCidr),
    ),
    define(
      'prefixLength',
      member('cidr_prefix_length', [cidrType], intType, ({ bits }: Network) => bits),
    ),
    define(
      'masked',
      member('cidr_masked', [cidrType], cidrType, (network: Network) => network.masked()),
    ),
    define(
      'string',
      global('ip_to_string', [ipType], stringType, ({ bytes }: IpAddress) => addressText(bytes)),
      global('cidr_to_string', [cidrType], stringType, networkText),
    ),
  ],
  types: [ipType, cidrType],
}
