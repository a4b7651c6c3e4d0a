// Records what operators ask for in tests, for `homeostat synth`: in the state folder of a project that has a `homeostat`
// key in its package.json. Elsewhere it writes nothing.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Client } from '@homeostat/client'
import type { Runnable } from '@homeostat/operator'
import { AccessFile, kindKey, recordRequests } from '@homeostat/operator/access'

/** Wraps the client of an operator; the same client where nothing is recorded. */
export type RecordAccess = (client: Client, operators: readonly Runnable[]) => Client

export function accessRecorder(folder = process.cwd()): RecordAccess {
  const state = recordedState(folder)
  if (state === undefined) return (client) => client
  const file = new AccessFile(state)
  return (client, operators) => {
    const kinds = operators.map(kindKey)
    return recordRequests(client, (request) => file.record(kinds, request))
  }
}

/** The state folder of the nearest package above, if it says that it is such a project. */
function recordedState(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const file = join(folder, 'package.json')
    if (existsSync(file)) return isProject(file) ? join(folder, '.homeostat') : undefined
    if (dirname(folder) === folder) return undefined
  }
}

function isProject(file: string): boolean {
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof manifest === 'object' && manifest !== null && 'homeostat' in manifest
  } catch {
    return false
  }
}
