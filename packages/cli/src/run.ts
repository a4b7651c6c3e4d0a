// From the command line to an exit code. `main.ts` calls it with the arguments after the program's name.

import { Fault } from './fault.ts'
import type { OptionName, Values } from './options/option-table.ts'
import { parseOptions } from './options/parse-options.ts'
import { escapingTerminal } from './output/escape-controls.ts'
import type { Terminal } from './terminal.ts'
import { findVerb } from './verbs/find-verb.ts'
import { verbTable } from './verbs/verb-table.ts'

export async function run(argv: readonly string[], device: Terminal): Promise<number> {
  const terminal = escapingTerminal(device)
  try {
    return await runVerb(argv, terminal)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    terminal.error(`homeostat: ${error.message}\n`)
    return error.exitCode
  }
}

async function runVerb(argv: readonly string[], terminal: Terminal): Promise<number> {
  const [word, ...rest] = argv
  if (word === undefined || word === '--help' || word === '-h') {
    terminal.out((await helpText()).commandHelp(verbTable, terminal.columns))
    return word === undefined ? 2 : 0
  }
  const found = await findVerb(verbTable, word === '--version' ? ['version', ...rest] : argv)
  if ('noun' in found) {
    terminal.out((await helpText()).nounHelp(found.name, found.noun, found.verbs, terminal.columns))
    return found.help ? 0 : 2
  }
  // __complete gets its words unparsed: they are an unfinished command line.
  if (found.verb.hidden) return found.verb.run({} as Values<OptionName>, found.rest, terminal)
  const { values, positionals, help } = parseOptions(found.verb.options, found.rest, terminal.env)
  if (help) {
    terminal.out((await helpText()).verbHelp(found.name, found.verb, terminal.columns))
    return 0
  }
  // A verb reads only the options that its row names, and all of those are parsed.
  return found.verb.run(values as Values<OptionName>, positionals, terminal)
}

function helpText() {
  return import('./verbs/help-text.ts')
}
