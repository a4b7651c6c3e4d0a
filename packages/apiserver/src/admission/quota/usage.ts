// What an object uses of the amounts that a ResourceQuota limits. Pure; the evaluators of kinds make it, the ledger adds it up.

import type { Quantity } from '@homeostat/meta'

/** Amounts by the names that a quota limits, such as `pods` or `requests.cpu`. */
export type Usage = ReadonlyMap<string, Quantity>

/** What one object uses, and what the scopes of a quota ask about it. */
export interface ObjectUsage {
  readonly amounts: Usage
  /** The scopes that the object is in. */
  readonly scopes: ReadonlySet<string>
  /** The values that a scope selector compares, by scope: the name of a priority class. */
  readonly values: Readonly<Record<string, string>>
}

export const ONE: Quantity = { nanos: 1_000_000_000n, format: 'decimal' }
export const NONE: Quantity = { nanos: 0n, format: 'decimal' }

export function plus(a: Quantity | undefined, b: Quantity): Quantity {
  return a === undefined || a.nanos === 0n ? b : { nanos: a.nanos + b.nanos, format: a.format }
}

export function minus(a: Quantity | undefined, b: Quantity): Quantity {
  return { nanos: (a?.nanos ?? 0n) - b.nanos, format: a?.format ?? b.format }
}

/** Adds or, with `minus`, takes away each amount. */
export function applyTo(sums: Map<string, Quantity>, amounts: Usage, combine: typeof plus): void {
  for (const [name, amount] of amounts) sums.set(name, combine(sums.get(name), amount))
}
