// One row of the table of options.

import type { ValueType } from './value-type.ts'

export interface Option<T> {
  readonly type: ValueType<T>
  /** As it is written on the command line. */
  readonly default: string | undefined
  readonly help: string
  /** The flag, if it is not the name of the row: one flag may mean different things to different verbs. */
  readonly flag?: string
  /** One letter, e.g. f for -f. Two options of one verb have different ones. */
  readonly short?: string
  /** The environment variable that is read if the flag is absent. */
  readonly env?: string
}

export function option<T>(
  type: ValueType<T>,
  fallback: string | undefined,
  help: string,
  more: Pick<Option<T>, 'flag' | 'short' | 'env'> = {},
): Option<T> {
  return { type, default: fallback, help, ...more }
}
