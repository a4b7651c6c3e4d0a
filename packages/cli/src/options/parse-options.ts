// Reads the options of a verb: the command line first, then the environment, then the default of the table.

import { usageFault } from '../fault.ts'
import { type OptionName, optionTable, type Values } from './option-table.ts'

// An import of node:util reads all its exports and loads what is behind them: 9 ms of every start.
const { parseArgs } = process.getBuiltinModule('node:util')

export interface Parsed<N extends OptionName> {
  readonly values: Values<N>
  readonly positionals: readonly string[]
  /** --help was asked for; the values are then those of an empty command line. */
  readonly help: boolean
}

export function parseOptions<N extends OptionName>(
  names: readonly N[],
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Parsed<N> {
  const { values: flags, positionals } = readFlags(names, argv)
  const values = names.map((name) => [name, readValue(name, flags[name], env)])
  return { values: Object.fromEntries(values) as Values<N>, positionals, help: flags.help !== undefined }
}

function readFlags(names: readonly OptionName[], argv: readonly string[]) {
  const known = Object.fromEntries(names.map((name) => [name, { type: 'string', multiple: true } as const]))
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: { ...known, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
    return { values: values as Record<string, string[] | true | undefined>, positionals }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw usageFault(`${(message.split(/\. |\n/)[0] ?? message).replace(/\.$/, '')}; --help lists what there is`)
  }
}

function readValue(
  name: OptionName,
  flag: string[] | true | undefined,
  env: Readonly<Record<string, string | undefined>>,
): unknown {
  const { type, default: fallback, env: variable } = optionTable[name]
  const fromEnv = env[variable]
  const given = Array.isArray(flag) ? flag : undefined
  const texts = given ?? (fromEnv ? [fromEnv] : fallback === undefined ? [] : [fallback])
  try {
    return type.parse(texts)
  } catch (error) {
    const source = given ? `--${name} ${given.at(-1)}` : `${variable}=${fromEnv}`
    throw usageFault(`${source}: ${error instanceof Error ? error.message : error}`)
  }
}
