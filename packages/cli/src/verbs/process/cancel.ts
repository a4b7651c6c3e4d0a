// `homeostat process cancel NAME`: requests the cancellation. A running process ends when its executor has stopped it.

import type { Process } from '@homeostat/executor/protocol'
import { patchObject } from '../../access/objects.ts'
import { PROCESSES } from '../../access/paths.ts'
import { withServer } from '../../access/session.ts'
import { Fault } from '../../fault.ts'
import { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { oneName } from '../operands.ts'
import { followProcess } from './follow-process.ts'
import { hasEnded, readProcess } from './read-process.ts'

export const cancelOptions = ['wait', 'timeout', ...colonyOptions] as const

export async function cancelProcess(
  values: Values<(typeof cancelOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const name = oneName(operands, 'process cancel')
  return withServer(values, terminal, async (session) => {
    const before = await readProcess(session, name)
    if (before.status?.phase === 'Cancelled') return tell(terminal, before)
    if (hasEnded(before)) throw endedFirst(before)
    const patch = { spec: { cancel: true } }
    const asked = await patchObject<Process>(session.client, PROCESSES, { namespace: session.namespace, name }, patch)
    if (!values.wait) return tell(terminal, asked)
    const ended = await followProcess(session, terminal, asked, values.timeout)
    if (ended.status.phase !== 'Cancelled') throw endedFirst(ended)
    return tell(terminal, ended)
  })
}

function tell(terminal: Terminal, { metadata, status }: Process): number {
  const { name } = metadata
  const running = status?.phase === 'Running'
  if (status?.phase === 'Cancelled') terminal.out(`${name} was cancelled\n`)
  else terminal.out(`${name} is being cancelled${running ? `: ${status.executor} was told to end it` : ''}\n`)
  return 0
}

function endedFirst({ metadata, status }: Process): Fault {
  return new Fault(`${metadata.name} was not cancelled: it has ended as ${status.phase}`)
}
