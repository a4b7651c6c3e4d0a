// `homeostat process logs NAME`: prints the log of a process, or follows it.

import { objectPath, PROCESSES } from '../../access/paths.ts'
import { withServer } from '../../access/session.ts'
import { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { oneName } from '../operands.ts'
import { logQuery, printLog } from '../print-log.ts'
import { processFault } from './read-process.ts'

export const logsOptions = ['follow', 'tail', 'since', 'timestamps', ...colonyOptions] as const

export async function processLogs(
  values: Values<(typeof logsOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const name = oneName(operands, 'process logs')
  await withServer(values, terminal, async (session) => {
    const { namespace, url } = session
    try {
      await printLog(session, terminal, `${objectPath(PROCESSES, namespace, name, 'log')}${logQuery(values)}`)
    } catch (error) {
      throw processFault(error, { url, namespace, name })
    }
  })
  return 0
}
