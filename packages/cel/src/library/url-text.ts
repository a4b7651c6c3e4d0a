// The text of a URL to its parts, and why not in Go's words.

export interface UrlParts {
  readonly scheme: string
  /** With the port, decoded. */
  readonly host: string
  /** As written. */
  readonly path: string
  readonly query: string
}

const SLASH = 47
const COLON = 58
const PERCENT = 37
const BRACKET = 91

export function parseUrl(text: string): UrlParts | string {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code === 0x7f) return failed(text, 'net/url: invalid control character in URL')
  }
  if (text === '') return failed(text, 'empty url')
  if (text === '*') return { scheme: '', host: '', path: '*', query: '' }
  const colon = schemeEnd(text)
  if (colon === 0) return failed(text, 'missing protocol scheme')
  const scheme = colon < 0 ? '' : inLowerCase(text.slice(0, colon))
  const start = colon + 1
  const fragment = text.indexOf('#', start)
  const end = fragment < 0 ? text.length : fragment
  const mark = text.indexOf('?', start)
  const pathEnd = mark < 0 || mark > end ? end : mark
  const query = pathEnd === end ? '' : text.slice(pathEnd + 1, end)
  if (text.charCodeAt(start) !== SLASH) {
    return scheme === '' ? failed(text, 'invalid URI for request') : { scheme, host: '', path: '', query }
  }
  const hasAuthority = scheme !== '' && text.charCodeAt(start + 1) === SLASH && start + 1 < pathEnd
  const slash = hasAuthority ? text.indexOf('/', start + 2) : start
  const pathStart = slash < 0 || slash > pathEnd ? pathEnd : slash
  const host = hasAuthority ? hostOf(text, start + 2, pathStart) : ''
  if (typeof host !== 'string') return failed(text, host.why)
  const strange = wrongEscape(text, pathStart, pathEnd)
  if (strange !== undefined) return failed(text, `invalid URL escape ${quoted(strange)}`)
  return { scheme, host, path: text.slice(pathStart, pathEnd), query }
}

function failed(text: string, why: string): string {
  return `parse ${quoted(text)}: ${why}`
}

/** Where the colon behind the scheme is; -1 for a path. */
function schemeEnd(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === COLON) return at
    const isFirst = isLetter(code)
    if (!isFirst && (at === 0 || !(isDigit(code) || code === 43 || code === 45 || code === 46))) return -1
  }
  return -1
}

/** Most are already, and looking costs less than a copy. */
function inLowerCase(scheme: string): string {
  for (let at = 0; at < scheme.length; at++) {
    const code = scheme.charCodeAt(at)
    if (code >= 65 && code <= 90) return scheme.toLowerCase()
  }
  return scheme
}

function isLetter(code: number): boolean {
  return (code | 0x20) >= 97 && (code | 0x20) <= 122
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function isHexDigit(code: number): boolean {
  return isDigit(code) || ((code | 0x20) >= 97 && (code | 0x20) <= 102)
}

/** The first percent sign without two digits, with up to two characters behind it. */
function wrongEscape(text: string, start: number, end: number): string | undefined {
  for (let at = text.indexOf('%', start); at >= 0 && at < end; at = text.indexOf('%', at + 1)) {
    if (at + 2 < end && isHexDigit(text.charCodeAt(at + 1)) && isHexDigit(text.charCodeAt(at + 2))) continue
    return text.slice(at, Math.min(end, at + 3))
  }
  return undefined
}

const userCharacters = asciiTable("-._:~!$&'()*+,;=%@")
const strangeInHosts = asciiTable(' "<>\\^`{|}')

/** By code; a host has one look for each of its characters. */
function asciiTable(characters: string): readonly boolean[] {
  return Array.from({ length: 128 }, (_, code) => characters.includes(String.fromCharCode(code)))
}

/** Of the authority between the places: what stands behind the user, decoded. */
function hostOf(text: string, from: number, end: number): string | { readonly why: string } {
  const at = text.lastIndexOf('@', end - 1)
  const hasUser = at >= from
  for (let place = from; hasUser && place < at; place++) {
    const code = text.charCodeAt(place)
    if (!isLetter(code) && !isDigit(code) && !(code < 128 && userCharacters[code]))
      return { why: 'net/url: invalid userinfo' }
  }
  const start = hasUser ? at + 1 : from
  const isBracketed = start < end && text.charCodeAt(start) === BRACKET
  const bracket = isBracketed ? text.indexOf(']', start) : -1
  if (isBracketed && (bracket < 0 || bracket >= end)) return { why: "missing ']' in host" }
  const lastColon = isBracketed ? bracket + 1 : text.lastIndexOf(':', end - 1)
  if (lastColon >= start && lastColon < end && !isPort(text, lastColon, end))
    return { why: `invalid port ${quoted(text.slice(lastColon, end))} after host` }
  let hasEscape = false
  for (let place = start; place < end; place++) {
    const code = text.charCodeAt(place)
    if (code === PERCENT) hasEscape = true
    else if (code < 128 && strangeInHosts[code])
      return { why: `invalid character ${quoted(text.charAt(place))} in host name` }
  }
  if (!hasEscape) return text.slice(start, end)
  const strange = isBracketed ? undefined : hostEscape(text, start, end)
  return strange === undefined ? decoded(text.slice(start, end)) : { why: `invalid URL escape ${quoted(strange)}` }
}

/** `:` and digits. */
function isPort(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(start) !== COLON) return false
  for (let at = start + 1; at < end; at++) if (!isDigit(text.charCodeAt(at))) return false
  return true
}

/** One that is wrong, or that stands for an ASCII character. */
function hostEscape(text: string, start: number, end: number): string | undefined {
  const wrong = wrongEscape(text, start, end)
  if (wrong !== undefined) return wrong
  for (let at = text.indexOf('%', start); at >= 0 && at < end; at = text.indexOf('%', at + 1)) {
    if (text.charCodeAt(at + 1) < 56) return text.slice(at, at + 3)
  }
  return undefined
}

/** Every pair of a query whose escapes are sound. */
export function queryOf(query: string): Map<string, string[]> {
  const pairs = new Map<string, string[]>()
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue
    const [name = '', ...rest] = pair.split('=')
    if (/%(?![0-9a-fA-F]{2})/.test(pair)) continue
    const key = decoded(name.replaceAll('+', ' '))
    const value = decoded(rest.join('=').replaceAll('+', ' '))
    const values = pairs.get(key)
    if (values === undefined) pairs.set(key, [value])
    else values.push(value)
  }
  return pairs
}

/** As written where that is sound, else with what needs it escaped. */
export function escapedPath({ path }: UrlParts): string {
  if (path === '*' || /^[A-Za-z0-9\-._~!$&'()*+,;=:@/[\]%]*$/.test(path)) return path
  const percent = (byte: string) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  const bytes = Array.from(new TextEncoder().encode(decoded(path)), (byte) => String.fromCharCode(byte)).join('')
  return bytes.replace(/[^A-Za-z0-9\-._~$&+,/:;=@]/g, percent)
}

function decoded(text: string): string {
  if (!text.includes('%')) return text
  const encoded = new TextEncoder().encode(text)
  const bytes = new Uint8Array(encoded.length)
  let length = 0
  for (let at = 0; at < encoded.length; at++) {
    const digits = encoded[at] === PERCENT ? String.fromCharCode(encoded[at + 1] ?? 0, encoded[at + 2] ?? 0) : ''
    const isSound = /^[0-9a-fA-F]{2}$/.test(digits)
    bytes[length++] = isSound ? Number.parseInt(digits, 16) : (encoded[at] ?? 0)
    if (isSound) at += 2
  }
  return new TextDecoder().decode(bytes.subarray(0, length))
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
