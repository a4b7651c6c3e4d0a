// Reads the options of a verb: the command line first, then the environment, then the default of the table.

import { messageOf } from '@homeostat/base'
import { usageFault } from '../fault.ts'
import type { Option } from './option.ts'
import { type OptionName, optionTable, type Values } from './option-table.ts'

// An ESM import of node:util runs all its lazy getters and costs 3 ms of every command; this costs none.
const { parseArgs } = process.getBuiltinModule('node:util')

export interface Parsed<N extends OptionName> {
  readonly values: Values<N>
  readonly positionals: readonly string[]
  /** Whether --help was given. */
  readonly help: boolean
}

type Env = Readonly<Record<string, string | undefined>>
type Flags = Readonly<Record<string, readonly (string | boolean)[] | true | undefined>>

export function parseOptions<N extends OptionName>(names: readonly N[], argv: readonly string[], env: Env): Parsed<N> {
  const { values: flags, positionals } = readFlags(names, argv)
  const values = names.map((name) => [name, readValue(name, flags[name], env)])
  return { values: Object.fromEntries(values) as Values<N>, positionals, help: flags.help !== undefined }
}

function readFlags(names: readonly OptionName[], argv: readonly string[]) {
  const known = Object.fromEntries(names.map((name) => [name, flagOf(optionTable[name])]))
  try {
    const { values, positionals } = parseArgs({
      args: withNegativeNumbers(names, argv),
      options: { ...known, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
    return { values: values as Flags, positionals }
  } catch (error) {
    const message = messageOf(error)
    throw usageFault(`${(message.split(/\. |\n/)[0] ?? message).replace(/\.$/, '')}; --help lists what there is`)
  }
}

function flagOf({ type, short }: Option<unknown>) {
  const how = type.bare ? ('boolean' as const) : ('string' as const)
  return { type: how, multiple: true as const, ...(short !== undefined && { short }) }
}

/** Joins `--priority -5` to `--priority=-5`, since parseArgs takes a word with a dash for a flag. */
function withNegativeNumbers(names: readonly OptionName[], argv: readonly string[]): string[] {
  const taking = new Set(names.filter((name) => !optionTable[name].type.bare).map((name) => `--${name}`))
  const end = argv.indexOf('--')
  const joined: string[] = []
  argv.forEach((word, at) => {
    const before = joined.at(-1)
    const isValue = before !== undefined && before === argv[at - 1] && taking.has(before) && /^-\d/.test(word)
    if (isValue && (end < 0 || at < end)) joined[joined.length - 1] = `${before}=${word}`
    else joined.push(word)
  })
  return joined
}

function readValue(name: OptionName, flag: Flags[string], env: Env): unknown {
  const { type, default: fallback, env: variable }: Option<unknown> = optionTable[name]
  const fromEnv = variable === undefined ? undefined : env[variable]
  const given = Array.isArray(flag) ? flag.map(String) : undefined
  const texts = given ?? (fromEnv ? [fromEnv] : fallback === undefined ? [] : [fallback])
  try {
    return type.parse(texts)
  } catch (error) {
    const source = given ? `--${name} ${given.at(-1)}` : `${variable}=${fromEnv}`
    throw usageFault(`${source}: ${messageOf(error)}`)
  }
}
