// `homeostat executor join CODE`: trades a bootstrap token for the credential of a new executor on this machine.

import { existsSync } from 'node:fs'
import { type Joined, joinColony, readCredential, readJoinCode } from '@homeostat/executor/credential'
import { faultOf } from '../../access/failure.ts'
import { Fault } from '../../fault.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { oneName } from '../operands.ts'

export const joinOptions = ['name', 'credential-file'] as const

type JoinValues = Values<(typeof joinOptions)[number]>

const DEFAULT_FILE = 'executor.kubeconfig'

export async function joinExecutor(
  values: JoinValues,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const file = values['credential-file'] ?? DEFAULT_FILE
  if (existsSync(file)) throw new Fault(`${file} exists already; a credential never overwrites a file`)
  const { executor } = await join(oneName(operands, 'executor join').trim(), values, terminal)
  terminal.out(`${file} is the credential of ${executor}; use it with: homeostat executor run --kubeconfig ${file}\n`)
  return 0
}

/** Uses the credential that an earlier call wrote, if there is one. */
export async function join(code: string, values: JoinValues, terminal: Terminal): Promise<Joined & { file: string }> {
  const file = values['credential-file'] ?? DEFAULT_FILE
  let joined: Joined
  let server: string | undefined
  try {
    server = readCredential(file)?.server ?? readJoinCode(code).server
    joined = await joinColony({ code, file, name: values.name })
  } catch (error) {
    if (server === undefined && error instanceof Error) throw new Fault(error.message, { exitCode: 2, cause: error })
    throw faultOf(error, server)
  }
  const { executor, colony, approved } = joined
  if (approved !== undefined) terminal.error(`joined ${colony} as ${executor}\n`)
  if (approved === false)
    terminal.error(`it waits until somebody approves it: homeostat executor approve ${executor} -n ${colony}\n`)
  return { ...joined, file }
}
