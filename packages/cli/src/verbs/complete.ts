// `homeostat __complete WORD...`: prints the candidates for the last word, one per line; `:files` stands for file names.
// Shell scripts call it whenever Tab is pressed, so it prints no errors, and requests to the server have a short timeout.

import type { Terminal } from '../terminal.ts'
import { type Wanted, wantedFor } from './completion-plan.ts'
import type { CommandTable } from './verb-row.ts'

export async function complete(table: CommandTable, words: readonly string[], terminal: Terminal): Promise<number> {
  const { wanted, prefix, before } = await wantedFor(table, words)
  for (const candidate of await candidatesOf(wanted, before, terminal)) {
    if (candidate.startsWith(prefix) || candidate === ':files') terminal.out(`${candidate}\n`)
  }
  return 0
}

async function candidatesOf(wanted: Wanted, before: readonly string[], terminal: Terminal): Promise<readonly string[]> {
  if (wanted === undefined) return []
  if (isList(wanted)) return wanted
  if (wanted === 'file') return [':files']
  // Words that need no server are completed without loading a client.
  const { namesOf } = await import('./completion-names.ts')
  return namesOf(wanted, before, terminal)
}

function isList(wanted: Wanted): wanted is readonly string[] {
  return Array.isArray(wanted)
}
