// The size of a value: what size() answers, and what costs are charged by. Strings are counted in code points.

import { CelList, CelMap, CelOptional, Opaque, type Value } from './value.ts'

/** 1 for a value without a size. */
export function chargedSize(value: Value): number {
  if (typeof value === 'string') return codePointsOf(value)
  if (typeof value !== 'object' || value === null) return 1
  if (value instanceof CelList || value instanceof CelMap || value instanceof Opaque) return value.size
  if (value instanceof Uint8Array) return value.length
  if (value instanceof CelOptional && value.value !== undefined) return chargedSize(value.value)
  return 1
}

export function codePointsOf(text: string): number {
  let count = text.length
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0xd800 || unit > 0xdbff) continue
    const next = text.charCodeAt(index + 1)
    if (next >= 0xdc00 && next <= 0xdfff) {
      count--
      index++
    }
  }
  return count
}
