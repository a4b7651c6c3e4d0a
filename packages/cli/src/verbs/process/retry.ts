// `homeostat process retry NAME`: submits a process that has ended once more, as a new one.

import { retryManifest } from '@homeostat/colony/views'
import { RESOURCE_LABELS } from '@homeostat/executor/protocol'
import { withServer } from '../../access/session.ts'
import { Fault } from '../../fault.ts'
import { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { oneName } from '../operands.ts'
import { followProcess, tellEnd } from './follow-process.ts'
import { hasEnded, readProcess } from './read-process.ts'
import { submit } from './submit.ts'

export const retryOptions = ['wait', 'timeout', ...colonyOptions] as const

export async function retryProcess(
  values: Values<(typeof retryOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const name = oneName(operands, 'process retry')
  return withServer(values, terminal, async (session) => {
    const ended = await readProcess(session, name)
    const { labels = {} } = ended.metadata
    const resource = labels[RESOURCE_LABELS.name]
    if (resource !== undefined) {
      const which = `${labels[RESOURCE_LABELS.kind]}/${resource}`
      throw new Fault(`${name} was made for ${which}; \`homeostat resource reconcile ${which}\` makes another`)
    }
    if (!hasEnded(ended)) {
      const phase = ended.status?.phase ?? 'Waiting'
      throw new Fault(`${name} is still ${phase}; \`homeostat process cancel ${name} --wait\` ends it`)
    }
    const process = await submit(session, retryManifest(ended))
    if (!values.wait) {
      terminal.out(`${process.metadata.name}\n`)
      return 0
    }
    return tellEnd(terminal, await followProcess(session, terminal, process, values.timeout))
  })
}
