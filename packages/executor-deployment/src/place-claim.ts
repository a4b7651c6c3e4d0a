// Looks at the start whether another controller serves the same place: both would run each resource, on two machines perhaps.
// Two that start at the same moment do not see each other.

import type { Client } from '@homeostat/client'
import { COLONIES, type Executor } from '@homeostat/executor/protocol'
import { isObject } from '@homeostat/meta'
import type { ControllerPlace } from './controller-place.ts'

interface Claim {
  readonly colony: string
  readonly place: ControllerPlace
  /** Those of the controller's own executors: another one under such a name is its predecessor. */
  readonly names: readonly string[]
}

/** Clusters show the same to every controller. */
const MACHINE_RUNTIMES = ['local', 'docker']

/** Rejects when there is one. */
export async function claimPlace(client: Client, { colony, place, names }: Claim): Promise<void> {
  const executors = client.resourceOf<Executor>(`${COLONIES.group}/${COLONIES.version}`, 'Executor')
  const { items } = await executors.list({ namespace: colony })
  for (const { metadata, spec, status } of items) {
    if (status?.phase === 'Lost') continue
    if (names.includes(metadata.name ?? '') || spec.capabilities?.[MARK] !== true) continue
    if ((spec.location ?? '').toLowerCase() !== (place.location ?? '').toLowerCase()) continue
    const shared = softwareOf(spec).filter((name) => MACHINE_RUNTIMES.includes(name) && isIn(place.runtimes, name))
    if (shared.length === 0) continue
    const where = place.location === undefined ? 'without a location' : `at location ${place.location}`
    throw new Error(
      `${metadata.name} runs ${shared.join(' and ')} ${where} already: end it, or give this controller another location or other runtimes`,
    )
  }
}

/** The capabilities by which such a controller is known. */
export function placeCapabilities({ runtimes }: ControllerPlace): Readonly<Record<string, unknown>> {
  return { software: runtimes, [MARK]: true }
}

const MARK = 'executorDeployments'

function softwareOf({ capabilities }: Executor['spec']): string[] {
  const { software } = isObject(capabilities) ? capabilities : {}
  return Array.isArray(software) ? software.filter((name) => typeof name === 'string') : []
}

function isIn(names: readonly string[], name: string): boolean {
  return names.includes(name)
}
