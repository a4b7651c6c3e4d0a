// Addresses, hosts and URIs as the network formats accept them.

import { once } from '@homeostat/base'

export function isIpv6(value: string): boolean {
  return value.includes(':') && isAddress(value)
}

/** Also accepts what has a dot and a colon: an IPv4 address mapped into IPv6. Leading zeros are tolerated. */
export function isIpv4(value: string): boolean {
  return value.includes('.') && isAddress(value)
}

export function isCidr(value: string): boolean {
  const slash = value.lastIndexOf('/')
  const bits = value.slice(slash + 1)
  const address = value.slice(0, slash)
  if (slash < 0 || !/^(0|[1-9]\d{0,2})$/.test(bits) || !isAddress(address)) return false
  return Number(bits) <= (address.includes(':') ? 128 : 32)
}

function isAddress(value: string): boolean {
  if (value.length > 64 || value.includes('%')) return false
  // Here and not above: Node takes milliseconds to load it.
  const { isIP, isIPv6 } = process.getBuiltinModule('node:net')
  if (value.includes(':')) return isIPv6(value)
  return isIP(value.replace(/(^|\.)0+(?=\d)/g, '$1')) === 4
}

const macShapes = [/^[0-9a-f]{2}(:[0-9a-f]{2})+$/i, /^[0-9a-f]{2}(-[0-9a-f]{2})+$/i, /^[0-9a-f]{4}(\.[0-9a-f]{4})+$/i]

/** 6, 8 or 20 bytes. */
export function isMac(value: string): boolean {
  if (value.length > 59) return false
  const digits = value.replace(/[:.-]/g, '').length
  return (digits === 12 || digits === 16 || digits === 40) && macShapes.some((shape) => shape.test(value))
}

const word = '[a-zA-Z0-9\\p{S}\\p{L}]'
/** Classes of Unicode take a while to compile, and most programs never come here. */
const shapes = once(() => ({
  single: new RegExp(`^${word}(-?${word}{0,62})?$`, 'u'),
  label: new RegExp(`^${word}([a-zA-Z0-9\\-\\p{S}\\p{L}]{0,61}${word})?$`, 'u'),
  topLevel: /^[a-zA-Z\p{L}]{2,63}$/u,
}))

export function isHostname(value: string): boolean {
  if (value.length > 255 || Buffer.byteLength(value) > 255) return false
  const labels = value.split('.')
  if (labels.some((one) => Buffer.byteLength(one) > 63)) return false
  const { single, label, topLevel } = shapes()
  if (labels.length === 1) return single.test(value)
  return topLevel.test(labels.pop() ?? '') && labels.every((one) => label.test(one))
}

/** An absolute URI or an absolute path, as in the first line of a request. */
export function isRequestUri(value: string): boolean {
  if (value === '' || hasControlCharacter(value) || /%(?![0-9a-fA-F]{2})/.test(value)) return false
  if (value === '*' || value.startsWith('/')) return true
  const colon = value.indexOf(':')
  if (colon <= 0 || !/^[a-zA-Z][a-zA-Z0-9+.-]*$/.test(value.slice(0, colon))) return false
  const rest = value.slice(colon + 1)
  return rest.startsWith('//') ? isAuthority(rest.slice(2).split(/[/?#]/, 1)[0] ?? '') : true
}

function isAuthority(text: string): boolean {
  const host = text.slice(text.lastIndexOf('@') + 1)
  if (/[\s<>"\\^`{|}]/.test(host)) return false
  if (host.startsWith('[')) return /^\[[0-9a-fA-F:.%a-zA-Z-]+\](:\d*)?$/.test(host)
  return /^[^:[\]]*(:\d*)?$/.test(host)
}

function hasControlCharacter(value: string): boolean {
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}
