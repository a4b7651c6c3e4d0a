// Finds the verb that a command line names.

import { usageFault } from '../fault.ts'
import { type CommandTable, isNoun, type NounRow, shownNames, type VerbRow, type VerbTable } from './verb-row.ts'

export interface FoundVerb {
  /** As it is typed, e.g. `crd list`. */
  readonly name: string
  readonly verb: VerbRow
  /** The words after the verb. */
  readonly rest: readonly string[]
}

export interface FoundNoun {
  readonly name: string
  readonly noun: NounRow
  readonly verbs: VerbTable
  /** Whether --help was given. */
  readonly help: boolean
}

/** Throws a usage fault for words that name nothing. */
export async function findVerb(
  table: CommandTable,
  [word = '', ...rest]: readonly string[],
): Promise<FoundVerb | FoundNoun> {
  const row = own(table, word)
  if (row === undefined && word.startsWith('-')) throw usageFault(`${word}: the verb comes first, options after it`)
  if (row === undefined) throw usageFault(`there is no verb '${word}'; the verbs are ${shownNames(table).join(', ')}`)
  if (!isNoun(row)) return { name: word, verb: row, rest }
  const verbs = await row.verbs()
  const [second, ...after] = rest
  if (second === undefined || second === '--help' || second === '-h') {
    return { name: word, noun: row, verbs, help: second !== undefined }
  }
  const verb = own(verbs, second)
  if (verb === undefined) {
    throw usageFault(`there is no verb '${second}' of ${word}; there are ${shownNames(verbs).join(', ')}`)
  }
  return { name: `${word} ${second}`, verb, rest: after }
}

function own<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined
}
