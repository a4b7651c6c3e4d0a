// The text of a URL to its parts, and why not in Go's words.

export interface UrlParts {
  readonly scheme: string
  /** With the port, decoded. */
  readonly host: string
  /** As written. */
  readonly path: string
  readonly query: string
}

export function parseUrl(text: string): UrlParts | string {
  const failed = (why: string) => `parse ${quoted(text)}: ${why}`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[\x00-\x1f\x7f]/.test(text)) return failed('net/url: invalid control character in URL')
  if (text === '') return failed('empty url')
  if (text === '*') return { scheme: '', host: '', path: '*', query: '' }
  const scheme = schemeOf(text)
  if (scheme === undefined) return failed('missing protocol scheme')
  const rest = text.slice(scheme === '' ? 0 : scheme.length + 1)
  const [beforeFragment = ''] = rest.split('#', 1)
  const mark = beforeFragment.indexOf('?')
  const hierarchy = mark < 0 ? beforeFragment : beforeFragment.slice(0, mark)
  const query = mark < 0 ? '' : beforeFragment.slice(mark + 1)
  if (!rest.startsWith('/')) {
    return scheme === ''
      ? failed('invalid URI for request')
      : { scheme: scheme.toLowerCase(), host: '', path: '', query }
  }
  const hasAuthority = hierarchy.startsWith('//') && (scheme !== '' || !hierarchy.startsWith('///'))
  const slash = hasAuthority ? hierarchy.indexOf('/', 2) : 0
  const authority = hasAuthority && scheme !== '' ? hierarchy.slice(2, slash < 0 ? undefined : slash) : ''
  const path = hasAuthority && scheme !== '' ? (slash < 0 ? '' : hierarchy.slice(slash)) : hierarchy
  const host = hostOf(authority)
  if (host.why !== undefined) return failed(host.why)
  const strange = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(path)
  if (strange !== null) return failed(`invalid URL escape ${quoted(strange[0])}`)
  return { scheme: scheme.toLowerCase(), host: host.text, path, query }
}

/** Empty for a path, undefined where a colon has nothing before it. */
function schemeOf(text: string): string | undefined {
  const found = /^([a-zA-Z][a-zA-Z0-9+.-]*)?(:)/.exec(text)
  if (found === null) return ''
  return found[1]
}

function hostOf(authority: string): { text: string; why?: string } {
  const at = authority.lastIndexOf('@')
  const user = authority.slice(0, Math.max(0, at))
  if (at >= 0 && !/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) return { text: '', why: 'net/url: invalid userinfo' }
  const host = authority.slice(at + 1)
  const port = host.startsWith('[') ? host.slice(host.indexOf(']') + 1) : host.slice(Math.max(0, host.lastIndexOf(':')))
  if (host.startsWith('[') && !host.includes(']')) return { text: '', why: "missing ']' in host" }
  const colon = host.startsWith('[') ? port : host.includes(':') ? port : ''
  if (colon !== '' && !/^:\d*$/.test(colon)) return { text: '', why: `invalid port ${quoted(colon)} after host` }
  const strange = /[ "<>\\^`{|}]/.exec(host)
  if (strange !== null) return { text: '', why: `invalid character ${quoted(strange[0])} in host name` }
  const wrongEscape = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(host)
  if (wrongEscape !== null && !host.startsWith('['))
    return { text: '', why: `invalid URL escape ${quoted(wrongEscape[0])}` }
  const encoded = /%[0-7][0-9a-fA-F]/.exec(host)
  if (encoded !== null && !host.startsWith('[')) return { text: '', why: `invalid URL escape ${quoted(encoded[0])}` }
  return { text: decoded(host) }
}

/** Every pair of a query whose escapes are sound. */
export function queryOf(query: string): Map<string, string[]> {
  const pairs = new Map<string, string[]>()
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue
    const [name = '', ...rest] = pair.split('=')
    if (/%(?![0-9a-fA-F]{2})/.test(pair)) continue
    const key = decoded(name.replaceAll('+', ' '))
    pairs.set(key, [...(pairs.get(key) ?? []), decoded(rest.join('=').replaceAll('+', ' '))])
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
  const bytes: number[] = []
  for (const part of text.split(/(%[0-9a-fA-F]{2})/)) {
    if (/^%[0-9a-fA-F]{2}$/.test(part)) bytes.push(Number.parseInt(part.slice(1), 16))
    else bytes.push(...new TextEncoder().encode(part))
  }
  return new TextDecoder().decode(Uint8Array.from(bytes))
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
