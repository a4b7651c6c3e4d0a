// From the command line to an exit code. `main.ts` calls it with the arguments after the program's name.

import { Fault, usageFault } from './fault.ts'
import { commandHelp, verbHelp } from './options/help-text.ts'
import type { OptionName, Values } from './options/option-table.ts'
import { parseOptions } from './options/parse-options.ts'
import type { Terminal } from './terminal.ts'
import { verbTable } from './verbs/verb-table.ts'

export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await runVerb(argv, terminal)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    terminal.error(`homeostat: ${error.message}\n`)
    return error.exitCode
  }
}

async function runVerb([word, ...rest]: readonly string[], terminal: Terminal): Promise<number> {
  if (word === undefined || word === '--help' || word === '-h') {
    terminal.out(commandHelp(verbTable))
    return word === undefined ? 2 : 0
  }
  const name = word === '--version' ? 'version' : word
  const verb = Object.hasOwn(verbTable, name) ? verbTable[name] : undefined
  if (verb === undefined) {
    throw usageFault(`there is no verb '${name}'; the verbs are ${Object.keys(verbTable).join(', ')}`)
  }
  const { values, positionals, help } = parseOptions(verb.options, rest, terminal.env)
  if (help) {
    terminal.out(verbHelp(name, verb))
    return 0
  }
  // A verb reads only the options its row names, and those are all there.
  return verb.run(values as Values<OptionName>, positionals, terminal)
}
