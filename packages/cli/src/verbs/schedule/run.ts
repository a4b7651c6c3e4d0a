// `homeostat schedule run NAME`: makes a run now and prints the name of its process or graph.

import { isMissing, notFoundFault } from '../../access/failure.ts'
import { objectPath, SCHEDULES } from '../../access/paths.ts'
import { type Session, withServer } from '../../access/session.ts'
import type { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { oneName } from '../operands.ts'

export async function runSchedule(
  values: Values<(typeof colonyOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const name = oneName(operands, 'schedule run')
  return withServer(values, terminal, async (session) => {
    const path = objectPath(SCHEDULES, session.namespace, name, 'run')
    const headers = { 'content-type': 'application/json' }
    try {
      const made = await session.client.requestJson({ method: 'POST', path, headers, body: '{}' })
      terminal.out(`${(made as { run: string }).run}\n`)
    } catch (error) {
      throw scheduleFault(error, session, name)
    }
    return 0
  })
}

export function scheduleFault(error: unknown, { namespace }: Session, name: string): unknown {
  if (!isMissing(error)) return error
  const shows = `\`homeostat get schedules -n ${namespace}\` shows those there are`
  return notFoundFault(`there is no schedule '${name}' in the namespace ${namespace}; ${shows}`)
}
