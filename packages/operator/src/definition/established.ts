// Waits until a definition's kind is served: its condition Established, then discovery, which may come a moment later.

import type { Clock } from '@homeostat/base'
import type { Client, ResourceClient, WatchEvent } from '@homeostat/client'
import { type Condition, findCondition, isStatusError } from '@homeostat/meta'
import type { CustomResourceDefinition } from './definition-manifest.ts'

const ASK_AGAIN = 50

/** Throws when another definition has the names: waiting would not help. */
export async function whenServed(
  client: Client,
  definitions: ResourceClient<CustomResourceDefinition>,
  definition: CustomResourceDefinition,
  clock: Clock,
  signal: AbortSignal,
): Promise<CustomResourceDefinition> {
  const established = await whenEstablished(definitions, definition.metadata.name ?? '', signal)
  await whenDiscovered(client, definition, clock, signal)
  return established
}

/** Waits for the kind alone: any user may discover it, also one without rights on definitions. */
export async function whenDiscovered(
  client: Client,
  definition: CustomResourceDefinition,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const { group, names, versions } = definition.spec
  // The storage version: with a conversion webhook it may be the only one that the server can return.
  const version = (versions.find((one) => one.served && one.storage) ?? versions.find((one) => one.served))?.name
  while (version !== undefined && (await client.discover(`${group}/${version}`, names.kind, signal)) === undefined) {
    await pause(clock, signal)
  }
}

async function whenEstablished(
  definitions: ResourceClient<CustomResourceDefinition>,
  name: string,
  signal: AbortSignal,
): Promise<CustomResourceDefinition> {
  for (;;) {
    const found = await definitions.get({ name }, { signal })
    if (isEstablished(found)) return found
    const { resourceVersion = '' } = found.metadata
    const served = await nextEvent(
      definitions,
      { name, resourceVersion },
      ({ type, object }) => type === 'MODIFIED' && isEstablished(object),
      signal,
    )
    if (served !== undefined) return served.object
  }
}

/** The first matching event; undefined when the watch ends before, so that the caller lists again. */
async function nextEvent(
  definitions: ResourceClient<CustomResourceDefinition>,
  { name, resourceVersion }: { readonly name: string; readonly resourceVersion: string },
  looked: (event: WatchEvent<CustomResourceDefinition>) => boolean,
  signal: AbortSignal,
): Promise<WatchEvent<CustomResourceDefinition> | undefined> {
  const fieldSelector = `metadata.name=${name}`
  try {
    for await (const event of definitions.watch({ fieldSelector, resourceVersion, signal })) {
      if (looked(event)) return event
    }
  } catch (error) {
    if (!isStatusError(error, 'Expired')) throw error
  }
  return undefined
}

/** Waits until a definition and its objects are deleted; only then can it be created again. */
export async function whenGone(
  definitions: ResourceClient<CustomResourceDefinition>,
  definition: CustomResourceDefinition,
  signal: AbortSignal,
): Promise<void> {
  const { name = '', uid } = definition.metadata
  for (;;) {
    const found = await definitions.find({ name }, { signal })
    if (found === undefined || found.metadata.uid !== uid) return
    const { resourceVersion = '' } = found.metadata
    await nextEvent(definitions, { name, resourceVersion }, ({ type }) => type === 'DELETED', signal)
  }
}

function isEstablished(definition: CustomResourceDefinition): boolean {
  const conditions = (definition.status?.conditions ?? []) as Condition[]
  const accepted = findCondition(conditions, 'NamesAccepted')
  if (accepted?.status === 'False') {
    const { name } = definition.metadata
    throw new Error(`the names of the definition ${name} are taken: ${accepted.message}; choose others`)
  }
  return findCondition(conditions, 'Established')?.status === 'True'
}

function pause(clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason)
      return
    }
    const stop = () => {
      cancel()
      reject(signal.reason)
    }
    const cancel = clock.setTimer(ASK_AGAIN, () => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
    signal.addEventListener('abort', stop, { once: true })
  })
}
