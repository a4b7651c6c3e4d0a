// The text of an IP address to its bytes and back, as Go's netip reads and writes it.

export interface Address {
  readonly bytes: readonly number[]
  readonly hasZone: boolean
}

/** Why not, in Go's words, if the text is no address. */
export function parseAddress(text: string): Address | string {
  for (const character of text) {
    if (character === '.') return fourBytes(text)
    if (character === ':') return sixteenBytes(text)
    if (character === '%') return 'missing IPv6 address'
  }
  return 'unable to parse IP'
}

function fourBytes(text: string): Address | string {
  const bytes: number[] = []
  let digits = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (character >= '0' && character <= '9') {
      if (digits === '0') return 'IPv4 field has octet with leading zero'
      digits += character
      if (Number(digits) > 255) return 'IPv4 field has value >255'
    } else if (character === '.') {
      if (digits === '' || at === text.length - 1)
        return shown('IPv4 field must have at least one digit', text.slice(at))
      if (bytes.length === 3) return 'IPv4 address too long'
      bytes.push(Number(digits))
      digits = ''
    } else return shown('unexpected character', text.slice(at))
  }
  if (bytes.length < 3) return 'IPv4 address too short'
  return { bytes: [...bytes, Number(digits)], hasZone: false }
}

function sixteenBytes(whole: string): Address | string {
  const percent = whole.indexOf('%')
  if (percent === whole.length - 1) return 'zone must be a non-empty string'
  const groups = groupsOf(percent < 0 ? whole : whole.slice(0, percent))
  if (typeof groups === 'string') return groups
  const { bytes, gap } = groups
  if (bytes.length < 16 && gap < 0) return 'address string too short'
  if (bytes.length === 16 && gap >= 0) return 'the :: must expand to at least one field of zeros'
  const filled =
    gap < 0 ? bytes : [...bytes.slice(0, gap), ...new Array(16 - bytes.length).fill(0), ...bytes.slice(gap)]
  return { bytes: filled, hasZone: percent >= 0 }
}

interface Groups {
  readonly bytes: number[]
  /** Before which byte `::` stands, or -1. */
  readonly gap: number
}

function groupsOf(text: string): Groups | string {
  const bytes: number[] = []
  let rest = text
  let gap = -1
  if (rest.startsWith('::')) {
    gap = 0
    rest = rest.slice(2)
  }
  while (bytes.length < 16 && !(rest === '' && gap === bytes.length)) {
    const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? ''
    if (digits.length > 4) return shown('each group must have 4 or less digits', rest)
    if (digits === '') return shown('each colon-separated field must have at least one digit', rest)
    if (rest[digits.length] === '.') return embedded(rest, bytes, gap)
    const value = Number.parseInt(digits, 16)
    bytes.push(value >> 8, value & 0xff)
    rest = rest.slice(digits.length)
    if (rest === '') break
    if (!rest.startsWith(':')) return shown('unexpected character, want colon', rest)
    if (rest.length === 1) return shown('colon must be followed by more characters', rest)
    rest = rest.slice(1)
    if (!rest.startsWith(':')) continue
    if (gap >= 0) return shown('multiple :: in address', rest)
    gap = bytes.length
    rest = rest.slice(1)
  }
  return rest === '' ? { bytes, gap } : shown('trailing garbage after address', rest)
}

/** An IPv4 address at the end. */
function embedded(rest: string, bytes: readonly number[], gap: number): Groups | string {
  if (gap < 0 && bytes.length !== 12)
    return shown('embedded IPv4 address must replace the final 2 fields of the address', rest)
  if (bytes.length > 12) return shown('too many hex fields to fit an embedded IPv4 at the end of the address', rest)
  const last = fourBytes(rest)
  return typeof last === 'string' ? last : { bytes: [...bytes, ...last.bytes], gap }
}

function shown(message: string, at: string): string {
  return at === '' ? message : `${message} (at "${at.replace(/["\\]/g, '\\$&')}")`
}

/** In the shortest form: the longest run of zeros, of two groups at least, is `::`. */
export function addressText(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.')
  const groups = Array.from(
    { length: 8 },
    (_, index) => ((bytes[2 * index] as number) << 8) | (bytes[2 * index + 1] as number),
  )
  const [start, length] = longestRun(groups)
  const texts = groups.map((group) => group.toString(16))
  if (length < 2) return texts.join(':')
  return `${texts.slice(0, start).join(':')}::${texts.slice(start + length).join(':')}`
}

function longestRun(groups: readonly number[]): [number, number] {
  let best: [number, number] = [0, 0]
  let start = 0
  for (let index = 0; index <= groups.length; index++) {
    if (index < groups.length && groups[index] === 0) continue
    if (index - start > best[1]) best = [start, index - start]
    start = index + 1
  }
  return best
}
