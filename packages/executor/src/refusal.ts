// Reads from a failed assign whether the server refused some of the ends in it, and which.

import { isStatusError } from '@homeostat/meta'

export interface Refusal {
  /** Why, by the place in `finished`. Empty when the server did not say which. */
  readonly causes: ReadonlyMap<number, string>
  /** The attempt is no longer the executor's. Otherwise the server could not read what was said of it. */
  readonly final: boolean
  readonly message: string
}

/** 400, 413 and 422 come again however often the same is sent. */
const UNREADABLE: ReadonlySet<number> = new Set([400, 413, 422])

/** Undefined when it failed for another reason, so that the same may be sent again. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!isStatusError(error)) return undefined
  const final = error.code === 409
  if (!final && !UNREADABLE.has(error.code)) return undefined
  const causes = new Map<number, string>()
  for (const { field, message } of error.status.details?.causes ?? []) {
    const [, index] = /^finished\[(\d+)\]/.exec(field) ?? []
    if (index !== undefined && !causes.has(Number(index))) causes.set(Number(index), message)
  }
  return { causes, final, message: error.message }
}
