// `homeostat queue status`: counts waiting and running processes and online executors for each executor type.

import type { ApiObject } from '@homeostat/client'
import { type Executor, PAUSED_ANNOTATION, type Process } from '@homeostat/executor/protocol'
import { isNotServed } from '../../access/failure.ts'
import { findObject, listObjects } from '../../access/objects.ts'
import { EXECUTORS, NAMESPACES, PROCESSES } from '../../access/paths.ts'
import { withServer } from '../../access/session.ts'
import type { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import { ageOf } from '../../output/cells.ts'
import { draw } from '../../output/escape-controls.ts'
import { paintFor } from '../../output/style.ts'
import { type Column, tableOf } from '../../output/table.ts'
import type { Terminal } from '../../terminal.ts'
import { noOperands } from '../operands.ts'
import { noQueue } from '../process/read-process.ts'

export interface TypeLine {
  readonly type: string
  waiting: number
  running: number
  online: number
  /** When the process was submitted that has waited longest. */
  oldest: string | undefined
}

const COLUMNS: readonly Column<TypeLine>[] = [
  { header: 'TYPE', text: ({ type }) => type },
  { header: 'WAITING', text: ({ waiting }) => `${waiting}` },
  { header: 'OLDEST', text: ({ oldest }) => ageOf(oldest) },
  { header: 'RUNNING', text: ({ running }) => `${running}` },
  {
    header: 'EXECUTORS-ONLINE',
    text: ({ online }) => `${online}`,
    tone: (text) => (text === '0' ? 'bad' : undefined),
  },
]

export async function queueStatus(
  values: Values<(typeof colonyOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  noOperands(operands)
  await withServer(values, terminal, async ({ client, namespace, url }) => {
    const of = (phase: string) => ({ namespace, fieldSelector: `status.phase=${phase}` })
    const [colony, waiting, running, executors] = await Promise.all([
      findObject<ApiObject>(client, NAMESPACES, '', namespace),
      listObjects<Process>(client, PROCESSES, of('Waiting')),
      listObjects<Process>(client, PROCESSES, of('Running')),
      listObjects<Executor>(client, EXECUTORS, { namespace }),
    ]).catch((error) => {
      throw isNotServed(error) ? noQueue(url, error) : error
    })
    const paused = colony?.metadata.annotations?.[PAUSED_ANNOTATION] === 'true'
    const lines = typeLines(waiting, running, executors)
    terminal.out(`the queue of ${namespace} is ${paused ? 'paused' : 'open'}\n`)
    if (lines.length === 0) return
    const table = tableOf(COLUMNS, lines, { width: terminal.columns, paint: paintFor(terminal) })
    draw(terminal, `${[table.head(), ...lines.map(table.row)].join('\n')}\n`)
  })
  return 0
}

/** One row for each executor type that has processes or executors. */
export function typeLines(
  waiting: readonly Process[],
  running: readonly Process[],
  executors: readonly Executor[],
): TypeLine[] {
  const lines = new Map<string, TypeLine>()
  const line = (type: string) => {
    const found = lines.get(type) ?? { type, waiting: 0, running: 0, online: 0, oldest: undefined }
    lines.set(type, found)
    return found
  }
  for (const { spec, status, metadata } of waiting) {
    const one = line(spec.conditions.executorType)
    const since = status?.submittedAt ?? metadata.creationTimestamp
    one.waiting++
    if (since !== undefined && (one.oldest === undefined || since < one.oldest)) one.oldest = since
  }
  for (const { spec } of running) line(spec.conditions.executorType).running++
  for (const { spec, status } of executors) if (status?.phase === 'Online') line(spec.type).online++
  return [...lines.values()].sort((a, b) => (a.type < b.type ? -1 : 1))
}
