// `homeostat help [VERB...]`.

import type { OptionName, Values } from '../options/option-table.ts'
import type { Terminal } from '../terminal.ts'
import { findVerb } from './find-verb.ts'
import { commandHelp, nounHelp, verbHelp } from './help-text.ts'
import { noOperands } from './operands.ts'
import type { CommandTable } from './verb-row.ts'

export async function help(table: CommandTable, words: readonly string[], terminal: Terminal): Promise<number> {
  if (words.length === 0) {
    terminal.out(commandHelp(table, terminal.columns))
    return 0
  }
  const found = await findVerb(table, words)
  if ('noun' in found) terminal.out(nounHelp(found.name, found.noun, found.verbs, terminal.columns))
  else {
    noOperands(found.rest)
    if (found.verb.unparsed) return found.verb.run({} as Values<OptionName>, ['--help'], terminal)
    terminal.out(verbHelp(found.name, found.verb, terminal.columns))
  }
  return 0
}
