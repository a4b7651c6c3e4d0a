// `homeostat process wait NAME`: waits for the end of a process; the exit code says how it ended.

import { withServer } from '../../access/session.ts'
import { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { oneName } from '../operands.ts'
import { followProcess, tellEnd } from './follow-process.ts'
import { readProcess } from './read-process.ts'

export const waitOptions = ['timeout', ...colonyOptions] as const

export async function waitForProcess(
  values: Values<(typeof waitOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const name = oneName(operands, 'process wait')
  return withServer(values, terminal, async (session) => {
    const process = await readProcess(session, name)
    return tellEnd(terminal, await followProcess(session, terminal, process, values.timeout))
  })
}
