// The value of a string or bytes literal. The parser calls it with the whole token.

/** Undefined for an escape that CEL does not know. In bytes, `\x` and octal escapes are bytes and everything else is UTF-8. */
export function unescapeString(token: string): string | undefined {
  const { body, raw } = bodyOf(token)
  if (raw) return body
  return decode(body, false) as string | undefined
}

export function unescapeBytes(token: string): Uint8Array | undefined {
  const { body, raw } = bodyOf(token)
  if (raw) return new TextEncoder().encode(body)
  return decode(body, true) as Uint8Array | undefined
}

function bodyOf(token: string): { body: string; raw: boolean } {
  const prefix = /^[bBrR]*/.exec(token)?.[0] ?? ''
  const quoted = token.slice(prefix.length)
  const quotes = /^("""|''')/.test(quoted) ? 3 : 1
  const body = quoted
    .slice(quotes, quoted.length - quotes)
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
  return { body, raw: /[rR]/.test(prefix) }
}

const simple: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '\\': 92,
  "'": 39,
  '"': 34,
  '`': 96,
  '?': 63,
}

const escapes = /\\(?:([abfnrtv\\'"`?])|[xX]([0-9a-fA-F]{2})|([0-3][0-7]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))?/g

function decode(body: string, asBytes: boolean): string | Uint8Array | undefined {
  const parts: (string | number)[] = []
  let from = 0
  for (const found of body.matchAll(escapes)) {
    const [whole, letter, hex, octal, short, long] = found
    if (whole === '\\') return undefined
    parts.push(body.slice(from, found.index))
    from = found.index + whole.length
    if (letter !== undefined) parts.push(String.fromCharCode(simple[letter] as number))
    else if (hex !== undefined || octal !== undefined) {
      const code = hex !== undefined ? Number.parseInt(hex, 16) : Number.parseInt(octal as string, 8)
      parts.push(asBytes ? code : String.fromCharCode(code))
    } else {
      const code = Number.parseInt((short ?? long) as string, 16)
      if (asBytes || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined
      parts.push(String.fromCodePoint(code))
    }
  }
  parts.push(body.slice(from))
  return asBytes ? bytesOf(parts) : parts.join('')
}

function bytesOf(parts: readonly (string | number)[]): Uint8Array {
  const encoder = new TextEncoder()
  return Uint8Array.from(parts.flatMap((part) => (typeof part === 'number' ? [part] : [...encoder.encode(part)])))
}
