// Reads from a failed assign whether the server refused outcomes, and which.

import { isStatusError } from '@homeostat/meta'

export interface Refusal {
  /** The reasons by the index in `finished`. Empty when the server named none. */
  readonly causes: ReadonlyMap<number, string>
  /** True when the attempt is no longer the executor's; false when the server could not accept the outcome as it is. */
  readonly final: boolean
  readonly message: string
}

/** The server responds with these again however often the same outcome is sent. */
const UNREADABLE: ReadonlySet<number> = new Set([400, 413, 422])

/** Undefined when the call failed for another reason and may be sent again. */
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
