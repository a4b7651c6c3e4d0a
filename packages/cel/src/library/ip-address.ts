// The text of an IP address to its bytes and back, as Go's netip reads and writes it.

export interface Address {
  readonly bytes: readonly number[]
  readonly hasZone: boolean
}

const POINT = 46
const ZERO = 48
const COLON = 58
const PERCENT = 37

/** Why not, in Go's words, if the text is no address. */
export function parseAddress(text: string): Address | string {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === POINT) {
      const bytes: number[] = []
      return fourBytes(text, 0, bytes) ?? { bytes, hasZone: false }
    }
    if (code === COLON) return sixteenBytes(text)
    if (code === PERCENT) return 'missing IPv6 address'
  }
  return 'unable to parse IP'
}

/** Adds them to the bytes, or says why not. */
function fourBytes(text: string, start: number, bytes: number[]): string | undefined {
  let fields = 0
  let value = -1
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= ZERO && code <= ZERO + 9) {
      if (value === 0) return 'IPv4 field has octet with leading zero'
      value = value < 0 ? code - ZERO : value * 10 + code - ZERO
      if (value > 255) return 'IPv4 field has value >255'
    } else if (code === POINT) {
      if (value < 0 || at === text.length - 1) return shown('IPv4 field must have at least one digit', text.slice(at))
      if (fields === 3) return 'IPv4 address too long'
      fields++
      bytes.push(value)
      value = -1
    } else return shown('unexpected character', text.slice(at))
  }
  if (fields < 3) return 'IPv4 address too short'
  bytes.push(value)
  return undefined
}

function sixteenBytes(whole: string): Address | string {
  const percent = whole.indexOf('%')
  if (percent === whole.length - 1) return 'zone must be a non-empty string'
  const bytes: number[] = []
  const gap = readGroups(percent < 0 ? whole : whole.slice(0, percent), bytes)
  if (typeof gap === 'string') return gap
  if (bytes.length < 16 && gap < 0) return 'address string too short'
  if (bytes.length === 16 && gap >= 0) return 'the :: must expand to at least one field of zeros'
  if (gap >= 0) {
    const { length } = bytes
    while (bytes.length < 16) bytes.push(0)
    bytes.copyWithin(gap + 16 - length, gap, length).fill(0, gap, gap + 16 - length)
  }
  return { bytes, hasZone: percent >= 0 }
}

/** Adds what the groups say to the bytes, and returns before which byte `::` stands, -1 without one, or why not. */
function readGroups(text: string, bytes: number[]): number | string {
  let at = 0
  let gap = -1
  if (text.startsWith('::')) {
    gap = 0
    at = 2
  }
  while (bytes.length < 16 && !(at === text.length && gap === bytes.length)) {
    let end = at
    let value = 0
    for (let digit = hexDigit(text.charCodeAt(end)); digit >= 0; digit = hexDigit(text.charCodeAt(++end))) {
      if (end - at === 4) return shown('each group must have 4 or less digits', text.slice(at))
      value = value * 16 + digit
    }
    if (end === at) return shown('each colon-separated field must have at least one digit', text.slice(at))
    if (text.charCodeAt(end) === POINT) return embedded(text, at, bytes, gap)
    bytes.push(value >> 8, value & 0xff)
    at = end
    if (at === text.length) break
    if (text.charCodeAt(at) !== COLON) return shown('unexpected character, want colon', text.slice(at))
    if (at === text.length - 1) return shown('colon must be followed by more characters', text.slice(at))
    at++
    if (text.charCodeAt(at) !== COLON) continue
    if (gap >= 0) return shown('multiple :: in address', text.slice(at))
    gap = bytes.length
    at++
  }
  return at === text.length ? gap : shown('trailing garbage after address', text.slice(at))
}

/** -1 for what is none, also for NaN beyond the end. */
function hexDigit(code: number): number {
  if (code >= ZERO && code <= ZERO + 9) return code - ZERO
  const letter = code | 0x20
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}

/** An IPv4 address at the end. */
function embedded(text: string, at: number, bytes: number[], gap: number): number | string {
  if (gap < 0 && bytes.length !== 12)
    return shown('embedded IPv4 address must replace the final 2 fields of the address', text.slice(at))
  if (bytes.length > 12)
    return shown('too many hex fields to fit an embedded IPv4 at the end of the address', text.slice(at))
  return fourBytes(text, at, bytes) ?? gap
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
