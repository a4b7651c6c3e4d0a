// `homeostat help [VERB]`.

import { usageFault } from '../fault.ts'
import { commandHelp, verbHelp } from '../options/help-text.ts'
import type { Terminal } from '../terminal.ts'
import { verbTable } from './verb-table.ts'

export function help([name]: readonly string[], terminal: Terminal): number {
  if (name === undefined) {
    terminal.out(commandHelp(verbTable))
    return 0
  }
  const verb = Object.hasOwn(verbTable, name) ? verbTable[name] : undefined
  if (verb === undefined) throw usageFault(`there is no verb '${name}'`)
  terminal.out(verbHelp(name, verb))
  return 0
}
