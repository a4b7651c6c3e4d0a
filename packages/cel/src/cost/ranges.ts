// Ranges of sizes and costs from the best to the worst case, at most 2^64. The estimate is worked out in them.

export interface Range {
  readonly min: number
  readonly max: number
}

const most = 2 ** 64

export const unknownSize: Range = { min: 0, max: most }

export function fixed(value: number): Range {
  return { min: value, max: value }
}

export function plus(a: Range, b: Range): Range {
  return { min: Math.min(most, a.min + b.min), max: Math.min(most, a.max + b.max) }
}

export function times(a: Range, b: Range): Range {
  return { min: product(a.min, b.min), max: product(a.max, b.max) }
}

/** Rounded up. */
export function scaled(a: Range, factor: number): Range {
  return { min: Math.min(most, Math.ceil(a.min * factor)), max: Math.min(most, Math.ceil(a.max * factor)) }
}

export function union(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) }
}

function product(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : Math.min(most, a * b)
}
