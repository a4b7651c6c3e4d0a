// What one does with Processes: cancel them, and submit ended ones once more. The table does it with many, the screen of a Process with one.

import { type RetryManifest, retryManifest } from '@homeostat/colony/views'
import type { Process } from '@homeostat/executor/protocol'
import { client } from '../../connection/client.ts'

/** On the Processes of a resource: its kind. Another run of those is asked for at the resource. */
const RESOURCE_LABEL = 'colonies.io/resource-kind'

const processes = () => client.resourceOf<Process>('colonies.io/v1', 'Process')

export interface ProcessName {
  readonly namespace: string
  readonly name: string
}

export async function cancelProcess(place: ProcessName): Promise<void> {
  await processes().patch(place, { spec: { cancel: true } })
}

/** Resolves to the name of the new Process. */
export async function rerunProcess(place: ProcessName): Promise<string> {
  return submitAgain(retryManifest(await processes().get(place)))
}

export async function submitAgain(manifest: RetryManifest): Promise<string> {
  const made = await processes().create(manifest as never)
  return made.metadata.name ?? ''
}

export function hasEnded(phase: unknown): boolean {
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Cancelled'
}

/** Why it cannot be cancelled; undefined when it can. */
export function whyNotCancel(phase: unknown): string | undefined {
  return hasEnded(phase) ? 'It has ended already.' : undefined
}

/** Why it cannot be run again; undefined when it can. */
export function whyNotRerun(phase: unknown, labels: Readonly<Record<string, string>> = {}): string | undefined {
  if (labels[RESOURCE_LABEL] !== undefined) return 'It was made for a resource, which asks for the next one itself.'
  return hasEnded(phase) ? undefined : 'It has not ended; it can be cancelled.'
}
