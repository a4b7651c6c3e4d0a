// The shape of the table of verbs: a verb, or a noun with verbs of its own, e.g. `crd list`.

import type { OptionName, Values } from '../options/option-table.ts'
import type { Terminal } from '../terminal.ts'

export interface VerbRow {
  readonly summary: string
  /** The arguments after the verb, as shown in help. */
  readonly operands: string
  readonly options: readonly OptionName[]
  /** Shown under its help. */
  readonly notes?: readonly string[]
  /** What the first argument names, for completion. */
  readonly completes?: Completes
  /** For programs; help does not show it. */
  readonly hidden?: true
  /** Runs the verb to its end and answers the exit code. */
  run(values: Values<OptionName>, operands: readonly string[], terminal: Terminal): Promise<number>
}

export interface NounRow {
  readonly summary: string
  /** Loaded when the noun is the one that is said. */
  verbs(): Promise<VerbTable>
}

export type VerbTable = Readonly<Record<string, VerbRow>>
export type Completes = 'definition' | 'resource' | 'process' | 'file' | readonly string[]

export function isNoun(row: VerbRow | NounRow): row is NounRow {
  return 'verbs' in row
}
