// The type of the command table: a row is a verb, or a noun with verbs of its own, e.g. `crd list`.

import type { Fault } from '../fault.ts'
import type { OptionName, Values } from '../options/option-table.ts'
import type { Terminal } from '../terminal.ts'

export interface VerbRow {
  readonly summary: string
  /** The arguments after the verb, as shown in help. */
  readonly operands: string
  readonly options: readonly OptionName[]
  /** Shown under its help. */
  readonly notes?: readonly string[]
  /** Options of kubectl that are not here, without dashes, and what to use instead. */
  readonly refuses?: Readonly<Record<string, string>>
  /** What the first argument names, for completion. */
  readonly completes?: Completes
  /** For programs; help does not show it. */
  readonly hidden?: true
  /** Gets its words as they are typed, options and --help among them. */
  readonly unparsed?: true
  /** Candidates for the next word of a verb whose words are not parsed here; undefined for file names. */
  candidates?(before: readonly string[], prefix: string): Promise<readonly string[] | undefined>
  /** Shows a failure in another program's words, and returns its exit code. By default a line after `homeostat:`. */
  failed?(fault: Fault, terminal: Terminal): Promise<number>
  /** Runs the verb to its end and returns the exit code. */
  run(values: Values<OptionName>, operands: readonly string[], terminal: Terminal): Promise<number>
}

export interface NounRow {
  readonly summary: string
  /** Loads the verbs; called only for the noun on the command line. */
  verbs(): Promise<VerbTable>
}

/** The verbs of one noun. */
export type VerbTable = Readonly<Record<string, VerbRow>>
/** The verbs and nouns of the command. */
export type CommandTable = Readonly<Record<string, VerbRow | NounRow>>
export type Completes =
  | 'object'
  | 'pod'
  | 'definition'
  | 'resource'
  | 'process'
  | 'graph'
  | 'schedule'
  | 'file'
  | readonly string[]

export function isNoun(row: VerbRow | NounRow): row is NounRow {
  return 'verbs' in row
}

/** The names that help and completion show. */
export function shownNames(table: CommandTable): string[] {
  return Object.entries(table).flatMap(([name, row]) => ('hidden' in row ? [] : [name]))
}
