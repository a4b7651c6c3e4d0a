// Waits for the end of a Process, prints its output and returns the exit code.

import { nobodyOnline } from '@homeostat/colony/views'
import type { Process } from '@homeostat/executor/protocol'
import { writeJson } from '@homeostat/meta'
import { EXIT, notFoundFault } from '../../access/failure.ts'
import type { Session } from '../../access/session.ts'
import { waitFor } from '../../access/wait.ts'
import type { Terminal } from '../../terminal.ts'
import { executorsOfType } from './executors-of-type.ts'
import { hasEnded } from './read-process.ts'

export async function followProcess(
  session: Session,
  terminal: Terminal,
  process: Process,
  timeout: number | undefined,
): Promise<Process> {
  const { name, namespace = session.namespace } = process.metadata
  if (hasEnded(process)) return process
  return waitFor<Process, Process>(session, terminal, {
    apiVersion: 'colonies.io/v1',
    kind: 'Process',
    selection: { namespace, fieldSelector: `metadata.name=${name}` },
    timeout,
    hints: executorsOfType(namespace, process.spec.conditions.executorType),
    look([now], executors) {
      if (now === undefined) throw notFoundFault(`the process ${name} was deleted before it ended`)
      if (hasEnded(now)) return { done: now }
      const why = nobodyOnline(now.spec.conditions.executorType, executors, now.spec.funcName)
      return { waiting: `${name} ${phaseText(now, why, Date.now())}` }
    },
  })
}

/** The text of the progress line. */
export function phaseText({ status, spec }: Process, nobody: string | undefined, now: number): string {
  const { phase = 'Waiting', attempt = 0, retries = 0, executor, notBefore, errors } = status ?? {}
  if (phase === 'Running') {
    const ending = spec.cancel ? ', was told to end' : ''
    return `is Running, attempt ${attempt}, by ${executor}${ending}`
  }
  const parts = [`is ${phase}`]
  if (attempt > 0) parts.push(`after attempt ${attempt}`)
  const pause = notBefore === undefined ? 0 : Math.ceil((Date.parse(notBefore) - now) / 1000)
  if (pause > 0) parts.push(`for ${pause}s more`)
  if (nobody !== undefined) parts.push(nobody)
  if (retries > 0 && errors?.[0] !== undefined) parts.push(`last error: ${errors[0]}`)
  return parts.join(', ')
}

/** Prints the output, or why there is none, and returns the exit code. */
export function tellEnd(terminal: Terminal, { metadata, status }: Process): number {
  const { phase, output, errors = [], attempt } = status
  if (output !== undefined) terminal.out(`${outputText(output)}\n`)
  if (phase === 'Succeeded') return 0
  const what = phase === 'Cancelled' ? 'was cancelled' : `failed in attempt ${attempt}`
  terminal.error(`homeostat: the process ${metadata.name} ${[what, ...errors].join(': ')}\n`)
  return phase === 'Cancelled' ? EXIT.processCancelled : EXIT.processFailed
}

/** A string is printed as it is, everything else as JSON. */
function outputText(output: unknown): string {
  return typeof output === 'string' ? output.replace(/\n$/, '') : writeJson(output, 2)
}
