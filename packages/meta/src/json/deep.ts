// Equality and copies of JSON values. A field that is undefined counts as absent, as it does when encoded.

export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && equalArrays(a, b)
  return !Array.isArray(b) && equalObjects(a as Record<string, unknown>, b as Record<string, unknown>)
}

/** Shares nothing with the original. */
export function deepClone<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(deepClone) as T
  const copy = { ...value } as Record<string, unknown>
  for (const key in copy) {
    const child = copy[key]
    if (typeof child === 'object' && child !== null) copy[key] = deepClone(child)
  }
  return copy as T
}

function equalArrays(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => deepEqual(item, b[index]))
}

function equalObjects(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  let fields = 0
  for (const key of Object.keys(a)) {
    if (a[key] === undefined) continue
    if (!deepEqual(a[key], b[key])) return false
    fields++
  }
  for (const key of Object.keys(b)) if (b[key] !== undefined) fields--
  return fields === 0
}
