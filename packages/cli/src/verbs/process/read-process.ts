// Reads one Process, and makes the Fault for one that does not exist.

import type { Process } from '@homeostat/executor/protocol'
import { isMissing, isNotServed, notFoundFault } from '../../access/failure.ts'
import { readObject } from '../../access/objects.ts'
import { PROCESSES } from '../../access/paths.ts'
import type { Session } from '../../access/session.ts'
import { Fault } from '../../fault.ts'

export async function readProcess({ client, namespace, url }: Session, name: string): Promise<Process> {
  try {
    return await readObject<Process>(client, PROCESSES, namespace, name)
  } catch (error) {
    throw processFault(error, { url, namespace, name })
  }
}

/** The Fault for a server without a queue or for a missing Process. Other errors are returned as they are. */
export function processFault(
  error: unknown,
  { url, namespace, name }: { readonly url: string; readonly namespace: string; readonly name: string },
): unknown {
  if (isNotServed(error)) return noQueue(url, error)
  if (!isMissing(error)) return error
  const where = `in the namespace ${namespace}`
  return notFoundFault(
    `there is no process '${name}' ${where}; \`homeostat get processes -n ${namespace}\` shows those there are`,
  )
}

export function noQueue(url: string, cause: unknown): Fault {
  return new Fault(`the server at ${url} has no queue; \`homeostat up\` starts one that has`, { cause })
}

export function hasEnded({ status }: Process): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed' || status?.phase === 'Cancelled'
}
