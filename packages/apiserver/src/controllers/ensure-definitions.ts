// Ensures that the definitions which the server is started with exist, are as given, and are served. A start that finds
// them so writes nothing.

import { deepEqual, isStatusError, type KubeObject } from '@homeostat/meta'
import { asDefinition, conditionTrue, DEFINITIONS } from '../builtin/definition/definition.ts'
import type { Api } from '../registry/api.ts'
import type { ServedDefinitions } from './served-definitions.ts'

export async function ensureDefinitions(
  api: Api,
  served: Pick<ServedDefinitions, 'seen'>,
  definitions: readonly KubeObject[],
  signal: AbortSignal,
): Promise<void> {
  const states = await Promise.all(definitions.map((definition) => ensure(api, served, definition)))
  const pending = definitions.filter((_, at) => states[at] !== 'settled')
  await Promise.all(pending.map(({ metadata }) => established(api, metadata.name ?? '', signal)))
}

/** Keeps metadata that others added. An update that changes nothing is not written. A definition found settled is not read again. */
async function ensure(
  api: Api,
  served: Pick<ServedDefinitions, 'seen'>,
  wanted: KubeObject,
): Promise<'settled' | 'pending'> {
  // Compare first: an update would validate the whole schema to find that nothing changes.
  const seen = served.seen(wanted.metadata.name ?? '')
  if (seen !== undefined && isAsWanted(seen, wanted)) return isSettled(seen) ? 'settled' : 'pending'
  const found = await readOrDiscard(api, wanted.metadata.name ?? '')
  if (found === undefined) {
    await api.create(DEFINITIONS, structuredClone(wanted))
    return 'pending'
  }
  const { labels, annotations } = wanted.metadata
  if (labels) found.metadata.labels = { ...found.metadata.labels, ...labels }
  if (annotations) found.metadata.annotations = { ...found.metadata.annotations, ...annotations }
  found.spec = structuredClone(wanted.spec)
  try {
    await api.update(DEFINITIONS, found)
  } catch (error) {
    if (!isStatusError(error, 'Conflict')) throw error
    return ensure(api, served, wanted)
  }
  return 'pending'
}

/** True only if the given definition spells out every default. */
function isAsWanted(found: KubeObject, { metadata: { labels, annotations }, spec }: KubeObject): boolean {
  const holds = (has: Readonly<Record<string, string>> = {}, wants: Readonly<Record<string, string>> = {}) =>
    Object.entries(wants).every(([key, value]) => has[key] === value)
  const { metadata } = found
  return holds(metadata.labels, labels) && holds(metadata.annotations, annotations) && deepEqual(found.spec, spec)
}

/** Replaces a stored definition that cannot be decoded: its wanted content is known. */
async function readOrDiscard(api: Api, name: string): Promise<KubeObject | undefined> {
  try {
    return api.get(DEFINITIONS, { name })
  } catch (error) {
    if (!isStatusError(error, 'InternalError')) throw error
    await api.delete(DEFINITIONS, { name })
    return undefined
  }
}

function established(api: Api, name: string, signal: AbortSignal): Promise<void> | undefined {
  const now = api.get(DEFINITIONS, { name })
  if (now && isSettled(now)) return undefined
  return new Promise((resolve) => {
    let stop = (): void => {}
    const end = (): void => {
      signal.removeEventListener('abort', end)
      stop()
      resolve()
    }
    const look = (): void => {
      const definition = api.get(DEFINITIONS, { name })
      if (definition === undefined || isSettled(definition)) end()
    }
    signal.addEventListener('abort', end)
    stop = api.subscribe(DEFINITIONS, (event) => {
      if (event.name === name) look()
    })
    if (signal.aborted) end()
    else look()
  })
}

/** Established, or refused for good: waiting does not free names that others have. */
function isSettled(object: KubeObject): boolean {
  const { conditions } = asDefinition(object).status
  return conditionTrue(asDefinition(object), 'Established') || (conditions ?? []).some((c) => c.status === 'False')
}
