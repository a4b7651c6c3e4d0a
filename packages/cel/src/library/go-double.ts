// A double as Go writes it with %g and the fewest digits: an exponent below 10^-4 and from 10^6, as strconv does.

export function goDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (Object.is(value, -0)) return '-0'
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) return exponential(value.toExponential())
  return String(value)
}

/** Go's exponents have two digits at least. */
export function exponential(text: string): string {
  return text.replace(/e([+-])(\d)$/, 'e$10$2')
}
