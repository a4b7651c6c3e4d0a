// `homeostat schedule suspend NAME` and `resume NAME`.

import { patchObject } from '../../access/objects.ts'
import { SCHEDULES } from '../../access/paths.ts'
import { withServer } from '../../access/session.ts'
import type { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { oneName } from '../operands.ts'
import { scheduleFault } from './run.ts'

export async function suspendSchedule(
  values: Values<(typeof colonyOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
  suspend: boolean,
): Promise<number> {
  const name = oneName(operands, `schedule ${suspend ? 'suspend' : 'resume'}`)
  return withServer(values, terminal, async (session) => {
    const { client, namespace } = session
    try {
      await patchObject(client, SCHEDULES, { namespace, name }, { spec: { suspend } })
    } catch (error) {
      throw scheduleFault(error, session, name)
    }
    terminal.out(`${name} ${suspend ? 'makes no runs until it is resumed' : 'makes runs again'}\n`)
    return 0
  })
}
