// Waits for objects with kubectl's words when the time is up. `delete` and `wait` call it.

import type { ApiObject } from '@homeostat/client'
import { formatGroupVersion } from '@homeostat/meta'
import { EXIT } from '../../access/failure.ts'
import type { Session } from '../../access/session.ts'
import { waitFor } from '../../access/wait.ts'
import { Fault } from '../../fault.ts'
import type { Terminal } from '../../terminal.ts'
import type { NamedReference } from './references.ts'

export interface Until {
  /** Milliseconds; undefined means no limit. */
  readonly timeout: number | undefined
  readonly metadataOnly?: boolean
  /** Whether the wait is over; undefined when the object does not exist. */
  isMet(object: ApiObject | undefined): boolean
}

/** Watches until it is met; does not poll. */
export async function until(
  session: Session,
  terminal: Terminal,
  { kind, namespace, name }: NamedReference,
  { timeout, metadataOnly, isMet }: Until,
): Promise<void> {
  const what = `${kind.plural}/${name}`
  try {
    await waitFor<ApiObject, void>(session, terminal, {
      apiVersion: formatGroupVersion(kind),
      kind: kind.kind,
      selection: { namespace, fieldSelector: `metadata.name=${name}`, metadataOnly },
      timeout,
      look: ([object]) => (isMet(object) ? { done: undefined } : { waiting: `for the condition on ${what}` }),
    })
  } catch (error) {
    if (!(error instanceof Fault) || error.exitCode !== EXIT.timeout) throw error
    throw new Fault(`timed out waiting for the condition on ${what}`)
  }
}
