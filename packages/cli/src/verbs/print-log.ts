// Prints the log of a pod or a process as it arrives. `logs` and `process logs` call it.

import type { Session } from '../access/session.ts'
import type { Terminal } from '../terminal.ts'

/** The options of logs, of pods as well as of processes. */
export interface LogValues {
  readonly follow: boolean
  readonly tail: number | undefined
  readonly since: number | undefined
  readonly timestamps: boolean
  readonly container?: string | undefined
  readonly previous?: boolean
  readonly 'since-time'?: string | undefined
  readonly 'limit-bytes'?: number | undefined
}

/** Ends when nobody reads standard output any more. With a prefix, only whole lines are printed. */
export async function printLog({ client }: Session, terminal: Terminal, path: string, prefix = ''): Promise<void> {
  const { unread: signal } = terminal
  try {
    const { body } = await client.request({ method: 'GET', path, signal })
    const decoder = new TextDecoder()
    let line = ''
    for await (const chunk of body) {
      const text = decoder.decode(chunk, { stream: true })
      if (prefix === '') terminal.out(text)
      else {
        const lines = (line + text).split('\n')
        line = lines.pop() ?? ''
        for (const one of lines) terminal.out(`${prefix}${one}\n`)
      }
    }
    if (line !== '') terminal.out(`${prefix}${line}\n`)
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

/** The query parameters of pods/log. */
export function logQuery(values: LogValues): string {
  const { follow, tail, since, timestamps, container, previous } = values
  const query = new URLSearchParams()
  if (container !== undefined) query.set('container', container)
  if (follow) query.set('follow', 'true')
  if (previous) query.set('previous', 'true')
  if (tail !== undefined && tail >= 0) query.set('tailLines', `${tail}`)
  if (since !== undefined) query.set('sinceSeconds', `${Math.max(1, Math.ceil(since / 1000))}`)
  if (values['since-time'] !== undefined) query.set('sinceTime', values['since-time'])
  if (values['limit-bytes'] !== undefined) query.set('limitBytes', `${values['limit-bytes']}`)
  if (timestamps) query.set('timestamps', 'true')
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
