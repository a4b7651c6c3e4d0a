// Values as JSON has them: what Zod keeps as Date, bigint, Set or Map is a string, a list or an object on the wire.

/** Throws a TypeError for what JSON cannot hold. */
export function wireValue(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`)
    return value
  }
  if (typeof value === 'bigint') return `${value}`
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Set) return [...value].map(wireValue)
  if (value instanceof Map) return wireFields([...value])
  if (Array.isArray(value)) return value.map(wireValue)
  if (typeof value === 'object') return wireFields(Object.entries(value))
  throw new TypeError(`JSON has no ${typeof value}`)
}

function wireFields(entries: readonly (readonly [unknown, unknown])[]): Record<string, unknown> {
  const present = entries.filter(([, value]) => value !== undefined)
  return Object.fromEntries(present.map(([name, value]) => [String(name), wireValue(value)]))
}
