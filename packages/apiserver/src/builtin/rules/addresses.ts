// IP addresses and ranges. Like Kubernetes, the parser accepts more than the canonical form: leading zeros in IPv4 are
// tolerated in old fields.

import { isIP } from 'node:net'
import { type Cause, invalidValue } from '@homeostat/meta/server'

export function isIPv6(value: string): boolean {
  return value.includes(':') && isAddress(value)
}

export function isAddress(value: string): boolean {
  if (value.length > 64 || value.includes('%')) return false
  return isIP(value.includes(':') ? value : value.replace(/(^|\.)0+(?=\d)/g, '$1')) !== 0
}

export function addressErrors(path: string, value: string): Cause[] {
  if (isAddress(value)) return []
  return [invalidValue(path, value, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')]
}

export function rangeErrors(path: string, value: string): Cause[] {
  const [address = '', bits = '', ...more] = value.split('/')
  const most = address.includes(':') ? 128 : 32
  if (more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most && isAddress(address)) return []
  return [invalidValue(path, value, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')]
}

const UNREACHABLE = [
  { ranges: ['127.0.0.0/8', '::1/128'], name: 'loopback' },
  { ranges: ['169.254.0.0/16', 'fe80::/10'], name: 'link-local' },
  { ranges: ['224.0.0.0/24', 'ff02::/16'], name: 'link-local multicast' },
]

/** Refuses addresses whose meaning depends on the machine, such as loopback. */
export function reachableErrors(path: string, value: string): Cause[] {
  if (!isAddress(value)) return [invalidValue(path, value, 'must be a valid IP address')]
  if (addressNumber(value) === 0n) return [invalidValue(path, value, `may not be unspecified (${value})`)]
  return UNREACHABLE.flatMap(({ ranges, name }) =>
    ranges.some((range) => contains(range, value))
      ? [invalidValue(path, value, `may not be in the ${name} range (${ranges.join(', ')})`)]
      : [],
  )
}

/** The 4 or 16 bytes as one number; undefined when the text is no address. */
function addressNumber(value: string): bigint | undefined {
  if (!isAddress(value)) return undefined
  if (!value.includes(':')) return value.split('.').reduce((sum, part) => (sum << 8n) + BigInt(Number(part)), 0n)
  return groupsOf(value).reduce((sum, group) => (sum << 16n) + BigInt(group), 0n)
}

/** Whether the range contains the address; both must be valid. */
export function contains(range: string, address: string): boolean {
  const [base = '', bits = '0'] = range.split('/')
  if (base.includes(':') !== address.includes(':')) return false
  const [from, at] = [addressNumber(base), addressNumber(address)]
  if (from === undefined || at === undefined) return false
  const width = BigInt((base.includes(':') ? 128 : 32) - Number(bits))
  return from >> width === at >> width
}

/** The eight groups of an IPv6 address. */
function groupsOf(value: string): number[] {
  const tail = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(value)
  const text = tail ? `${tail[1]}${pair(tail[2], tail[3])}:${pair(tail[4], tail[5])}` : value
  const [head = '', rest] = text.split('::')
  const start = head === '' ? [] : head.split(':')
  const end = rest === undefined || rest === '' ? [] : rest.split(':')
  const gap = rest === undefined ? [] : new Array<string>(Math.max(0, 8 - start.length - end.length)).fill('0')
  return [...start, ...gap, ...end].map((group) => Number.parseInt(group, 16))
}

function pair(high: string | undefined, low: string | undefined): string {
  return ((Number(high) << 8) + Number(low)).toString(16)
}
