// `homeostat process logs NAME`: prints the log of a process, or follows it.

import { objectPath, PROCESSES } from '../../access/paths.ts'
import { withServer } from '../../access/session.ts'
import { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { oneName } from '../operands.ts'
import { processFault } from './read-process.ts'

export const logsOptions = ['follow', 'tail', 'since', 'timestamps', ...colonyOptions] as const

type LogsValues = Values<(typeof logsOptions)[number]>

export async function processLogs(
  values: LogsValues,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const name = oneName(operands, 'process logs')
  await withServer(values, terminal, async ({ client, namespace, url }) => {
    const path = `${objectPath(PROCESSES, namespace, name, 'log')}${logQuery(values)}`
    const { unread: signal } = terminal
    try {
      const { body } = await client.request({ method: 'GET', path, signal })
      const decoder = new TextDecoder()
      for await (const chunk of body) terminal.out(decoder.decode(chunk, { stream: true }))
    } catch (error) {
      if (signal?.aborted) return
      throw processFault(error, { url, namespace, name })
    }
  })
  return 0
}

/** The query parameters of pods/log. */
export function logQuery({ follow, tail, since, timestamps }: LogsValues): string {
  const query = new URLSearchParams()
  if (follow) query.set('follow', 'true')
  if (tail !== undefined) query.set('tailLines', `${tail}`)
  if (since !== undefined) query.set('sinceSeconds', `${Math.max(1, Math.ceil(since / 1000))}`)
  if (timestamps) query.set('timestamps', 'true')
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
