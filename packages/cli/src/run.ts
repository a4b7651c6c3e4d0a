// From the command line to an exit code. `main.ts` calls it with the arguments after the program's name.

import { Fault, usageFault } from './fault.ts'
import { configOptions } from './options/option-groups.ts'
import type { OptionName, Values } from './options/option-table.ts'
import { type Parsed, parseOptions } from './options/parse-options.ts'
import { escapingTerminal } from './output/escape-controls.ts'
import type { Terminal } from './terminal.ts'
import { type FoundVerb, findVerb } from './verbs/find-verb.ts'
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
  if (found.verb.unparsed) return found.verb.run({} as Values<OptionName>, found.rest, terminal)
  try {
    return await runFound(found, terminal)
  } catch (error) {
    if (!(error instanceof Fault) || found.verb.failed === undefined) throw error
    return found.verb.failed(error, terminal)
  }
}

async function runFound(found: FoundVerb, terminal: Terminal): Promise<number> {
  const { name, verb } = found
  refuseForeign(found)
  const { values, positionals, help, settings } = await readOptions(found, terminal.env)
  if (help) {
    terminal.out((await helpText()).verbHelp(name, verb, terminal.columns))
    return 0
  }
  if (values['print-config']) {
    // What only one option needs, here and below, is not part of a start.
    terminal.out((await import('./options/config-text.ts')).configText(settings.filter(({ name }) => isInFile(name))))
    return 0
  }
  // A verb reads only the options that its row names, and all of those are parsed.
  return verb.run(values as Values<OptionName>, positionals, terminal)
}

function refuseForeign({ name, verb: { refuses = {} }, rest }: FoundVerb): void {
  const options = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest
  for (const word of options) {
    const flag = /^--([^=]+)/.exec(word)?.[1] ?? ''
    const instead = Object.hasOwn(refuses, flag) ? refuses[flag] : undefined
    if (instead !== undefined) throw usageFault(`homeostat ${name} has no --${flag}: ${instead}`)
  }
}

/** One of the options names the file with the others, so that these are read again with it. */
async function readOptions({ verb, rest }: FoundVerb, env: Terminal['env']): Promise<Parsed<OptionName>> {
  const parsed = parseOptions(verb.options, rest, env)
  if (parsed.help || parsed.values.config === undefined) return parsed
  const { readConfigFile } = await import('./options/config-file.ts')
  return parseOptions(verb.options, rest, env, readConfigFile(parsed.values.config, verb.options.filter(isInFile)))
}

function isInFile(name: OptionName): boolean {
  return !configOptions.some((one) => one === name)
}

function helpText() {
  return import('./verbs/help-text.ts')
}
