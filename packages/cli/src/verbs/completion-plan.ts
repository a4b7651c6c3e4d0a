// Decides which candidates fit the word that is being typed: verbs, options, values of an option, or names of objects.

import type { Option } from '../options/option.ts'
import { flagName, type OptionName, optionTable } from '../options/option-table.ts'
import { type CommandTable, isNoun, shownNames, type VerbRow } from './verb-row.ts'

/** The candidates themselves, or the objects whose names the server has to list. */
export type Wanted = readonly string[] | AskedFor | 'file' | undefined
export type AskedFor =
  | NamesOfKind
  | 'kind'
  | 'definition'
  | 'resource'
  | 'process'
  | 'graph'
  | 'schedule'
  | 'namespace'
  | 'executor'
  | 'executor-type'

/** The names of the objects of a kind, each after the kind and a slash if it is typed so. */
export interface NamesOfKind {
  readonly namesOf: string
  readonly withKind: boolean
}

export interface Plan {
  readonly wanted: Wanted
  /** The part of the word that is typed already. */
  readonly prefix: string
  /** The words between the verb and the prefix: they may name the server and the namespace. */
  readonly before: readonly string[]
}

const FILES: readonly OptionName[] = [
  'file',
  'filename',
  'kustomize',
  'module',
  'kubeconfig',
  'out',
  'data-dir',
  'with',
]
const ASKED: { readonly [N in OptionName]?: AskedFor } = {
  namespace: 'namespace',
  type: 'executor-type',
  executor: 'executor',
}

export async function wantedFor(table: CommandTable, typed: readonly string[]): Promise<Plan> {
  // bash splits --output=json into three words.
  const words = typed.at(-1) === '=' ? [...typed.slice(0, -1), ''] : typed.filter((word) => word !== '=')
  const prefix = words.at(-1) ?? ''
  const [first, second, ...rest] = words.slice(0, -1)
  const plan = (wanted: Wanted, before: readonly string[] = []): Plan => ({ wanted, prefix, before })
  if (first === undefined) return plan(shownNames(table))
  const row = Object.hasOwn(table, first) ? table[first] : undefined
  if (row === undefined) return plan(undefined)
  if (first === 'help') return plan(second === undefined ? shownNames(table) : await verbsOf(table, second))
  if (!isNoun(row)) {
    const before = second === undefined ? rest : [second, ...rest]
    if (row.candidates !== undefined) return plan((await row.candidates(before, prefix)) ?? 'file', before)
    return plan(wantedIn(row, before, prefix), before)
  }
  const verbs = await row.verbs()
  if (second === undefined) return plan(Object.keys(verbs))
  const verb = Object.hasOwn(verbs, second) ? verbs[second] : undefined
  return verb === undefined ? plan(undefined) : plan(wantedIn(verb, rest, prefix), rest)
}

function wantedIn(verb: VerbRow, before: readonly string[], prefix: string): Wanted {
  const asks = optionCalled(verb, before.at(-1) ?? '')
  if (asks !== undefined && !optionTable[asks].type.bare) return valuesOf(asks)
  if (prefix.startsWith('-')) return [...verb.options.map((name) => `--${flagName(name)}`), '--help']
  const operands = before.filter((word, at) => !word.startsWith('-') && !takesValue(verb, before[at - 1] ?? ''))
  if (verb.completes === 'object' || verb.completes === 'pod') return objectsFor(verb.completes, operands, prefix)
  return operands.length === 0 ? verb.completes : undefined
}

/** TYPE/NAME..., TYPE NAME..., or of logs a POD. */
function objectsFor(what: 'object' | 'pod', [first]: readonly string[], prefix: string): Wanted {
  const slash = prefix.indexOf('/')
  if (slash >= 0) return { namesOf: prefix.slice(0, slash), withKind: true }
  if (what === 'pod') return first === undefined ? { namesOf: 'pods', withKind: false } : undefined
  return first === undefined || first.includes('/') ? 'kind' : { namesOf: first, withKind: false }
}

function takesValue(verb: VerbRow, word: string): boolean {
  const name = optionCalled(verb, word)
  return name !== undefined && !optionTable[name].type.bare
}

function optionCalled(verb: VerbRow, word: string): OptionName | undefined {
  return verb.options.find((name) => {
    const { short }: Option<unknown> = optionTable[name]
    return word === `--${flagName(name)}` || (short !== undefined && word === `-${short}`)
  })
}

function valuesOf(name: OptionName): Wanted {
  if (FILES.includes(name)) return 'file'
  const { placeholder } = optionTable[name].type
  return placeholder.includes('|') ? placeholder.split('|') : ASKED[name]
}

async function verbsOf(table: CommandTable, word: string): Promise<Wanted> {
  const row = Object.hasOwn(table, word) ? table[word] : undefined
  return row !== undefined && isNoun(row) ? Object.keys(await row.verbs()) : undefined
}
