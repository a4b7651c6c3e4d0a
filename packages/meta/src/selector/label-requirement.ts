// One term of a label selector.

export type LabelOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'exists' | '!' | 'gt' | 'lt'

export interface LabelRequirement {
  readonly key: string
  readonly operator: LabelOperator
  /** Sorted, without repeats. */
  readonly values: readonly string[]
}

/** Undefined when the text is no int64 in decimal. */
export function parseInt64(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[+-]?[0-9]{1,64}$/.test(text)) return undefined
  const number = BigInt(text.replace('+', ''))
  return BigInt.asIntN(64, number) === number ? number : undefined
}
