// The order of texts in Go: by their UTF-8 bytes. It differs from ours only beyond the surrogates.

const BEYOND_SURROGATES = /[\ud800-\uffff]/

/** Whether our own comparison of code units is right for the text. */
export function isSortedByUnits(text: string): boolean {
  return !BEYOND_SURROGATES.test(text)
}

export function sortTexts(texts: string[]): void {
  if (!texts.every(isSortedByUnits)) texts.sort(compareTexts)
  else texts.sort()
}

/** Less than 0 if `a` comes first. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const one = a.charCodeAt(at)
    const other = b.charCodeAt(at)
    if (one !== other) return byteOrder(one) - byteOrder(other)
  }
  return a.length - b.length
}

/** In UTF-8 what needs two surrogates comes after everything else. */
function byteOrder(unit: number): number {
  if (unit < 0xd800) return unit
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000
}
