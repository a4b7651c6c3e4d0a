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

/** The verbs of one noun. */
export type VerbTable = Readonly<Record<string, VerbRow>>
/** All that the command can do. */
export type CommandTable = Readonly<Record<string, VerbRow | NounRow>>
export type Completes = 'definition' | 'resource' | 'process' | 'file' | readonly string[]

export function isNoun(row: VerbRow | NounRow): row is NounRow {
  return 'verbs' in row
}

/** The names that help and completion show. */
export function shownNames(table: CommandTable): string[] {
  return Object.entries(table).flatMap(([name, row]) => ('hidden' in row ? [] : [name]))
}
