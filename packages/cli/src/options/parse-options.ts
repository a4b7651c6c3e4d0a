// Reads the options of a verb: the command line first, then the environment, then the configuration file, then the default
// of the table.

import { dirname, resolve } from 'node:path'
import { messageOf } from '@homeostat/base'
import { usageFault } from '../fault.ts'
import type { Option } from './option.ts'
import { flagName, type OptionName, optionTable, type Values } from './option-table.ts'

// An ESM import of node:util runs all its lazy getters and costs 3 ms of every command; this costs none.
const { parseArgs } = process.getBuiltinModule('node:util')

export interface Parsed<N extends OptionName> {
  readonly values: Values<N>
  readonly positionals: readonly string[]
  /** Whether --help was given. */
  readonly help: boolean
  /** The value of each option, and where it comes from. */
  readonly settings: readonly Setting[]
}

export interface Setting {
  readonly name: OptionName
  readonly value: unknown
  /** As it was written; undefined when the option has neither a value nor a default. */
  readonly text: string | undefined
  /** For people: `--port`, `PORT`, `homeostat.yaml:3`, `default`. */
  readonly source: string
}

/** What config-file.ts reads. */
export interface ConfigFile {
  readonly path: string
  readonly settings: ReadonlyMap<OptionName, FileSetting>
}

export interface FileSetting {
  /** As a command line would have them, one for each item of a list. */
  readonly texts: readonly string[]
  /** The file and the line. */
  readonly where: string
}

type Env = Readonly<Record<string, string | undefined>>
type Flags = Readonly<Record<string, readonly (string | boolean)[] | true | undefined>>

export function parseOptions<N extends OptionName>(
  names: readonly N[],
  argv: readonly string[],
  env: Env,
  file?: ConfigFile,
): Parsed<N> {
  const { values: flags, positionals } = readFlags(names, argv)
  const settings = names.map((name) => readSetting(name, flags[flagName(name)], env, file))
  const values = Object.fromEntries(settings.map(({ name, value }) => [name, value])) as Values<N>
  return { values, positionals, help: flags.help !== undefined, settings }
}

function readFlags(names: readonly OptionName[], argv: readonly string[]) {
  const known = Object.fromEntries(names.map((name) => [flagName(name), flagOf(optionTable[name])]))
  const { args, denied } = readGoForms(names, withNegativeNumbers(names, argv))
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { ...known, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
    return { values: { ...values, ...Object.fromEntries(denied.map((flag) => [flag, [false]])) } as Flags, positionals }
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
  const taking = new Set(names.filter((name) => !optionTable[name].type.bare).map((name) => `--${flagName(name)}`))
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

/** Two forms that programs in Go accept and parseArgs does not: `-o=json`, and a flag that is said to be true or false. */
function readGoForms(names: readonly OptionName[], argv: readonly string[]): { args: string[]; denied: string[] } {
  const bare = new Set(names.filter((name) => optionTable[name].type.bare).map(flagName))
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const args: string[] = []
  const denied: string[] = []
  for (const word of argv.slice(0, end)) {
    const [, flag = '', value] = /^--(.+)=(true|false)$/.exec(word) ?? []
    if (!bare.has(flag)) args.push(word.replace(/^-(\w)=(?=.)/, '-$1'))
    else if (value === 'true') args.push(`--${flag}`)
    else denied.push(flag)
  }
  return { args: [...args, ...argv.slice(end)], denied }
}

function readSetting(name: OptionName, flag: Flags[string], env: Env, file: ConfigFile | undefined): Setting {
  const { type }: Option<unknown> = optionTable[name]
  const { texts, source, shown, folder } = findTexts(name, flag, env, file)
  try {
    const value = type.parse(texts)
    return {
      name,
      value: folder === undefined ? value : (type.within?.(value, folder) ?? value),
      text: texts.at(-1),
      source,
    }
  } catch (error) {
    throw usageFault(`${shown}: ${messageOf(error)}`)
  }
}

interface FoundTexts {
  readonly texts: readonly string[]
  readonly source: string
  /** The source with the text, for an error. */
  readonly shown: string
  /** The folder that paths are relative to, unless that is the working directory. */
  readonly folder?: string
}

function findTexts(name: OptionName, flag: Flags[string], env: Env, file: ConfigFile | undefined): FoundTexts {
  const { default: fallback, env: variable }: Option<unknown> = optionTable[name]
  if (Array.isArray(flag)) {
    const texts = flag.map(String)
    const source = `--${flagName(name)}`
    return { texts, source, shown: `${source} ${texts.at(-1)}` }
  }
  const text = variable === undefined ? undefined : env[variable]
  if (variable && text) return { texts: [text], source: variable, shown: `${variable}=${text}` }
  const set = file?.settings.get(name)
  if (file && set) {
    const shown = [`${set.where}: ${name}`, ...set.texts.slice(-1)].join(' ')
    return { texts: set.texts, source: set.where, shown, folder: dirname(resolve(file.path)) }
  }
  return { texts: fallback === undefined ? [] : [fallback], source: 'default', shown: `--${flagName(name)}` }
}
