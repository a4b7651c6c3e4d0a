// `homeostat help [VERB...]`.

import { commandHelp, nounHelp, verbHelp } from '../options/help-text.ts'
import type { Terminal } from '../terminal.ts'
import { findVerb } from './find-verb.ts'
import { noOperands } from './operands.ts'
import { verbTable } from './verb-table.ts'

export async function help(words: readonly string[], terminal: Terminal): Promise<number> {
  if (words.length === 0) {
    terminal.out(commandHelp(verbTable, terminal.columns))
    return 0
  }
  const found = await findVerb(words)
  if ('noun' in found) terminal.out(nounHelp(found.name, found.noun, found.verbs, terminal.columns))
  else {
    noOperands(found.rest)
    terminal.out(verbHelp(found.name, found.verb, terminal.columns))
  }
  return 0
}
