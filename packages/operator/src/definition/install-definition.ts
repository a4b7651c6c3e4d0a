// Installs a definition: creates it, or updates it when it differs and breaks nothing, and waits until its kind is
// served. `run` calls it before controllers start. Several processes may do so at once: on a conflict it reads again
// and retries.

import { type Clock, hasBrand, systemClock } from '@homeostat/base'
import type { ApiObject, Client, ResourceClient } from '@homeostat/client'
import { type Duration, humanDuration, isStatusError, milliseconds } from '@homeostat/meta'
import { breakingChanges } from './breaking-changes.ts'
import type { DefinitionChange } from './definition-change.ts'
import { definitionDifferences } from './definition-differences.ts'
import type { CustomResourceDefinition } from './definition-manifest.ts'
import { whenDiscovered, whenGone, whenServed } from './established.ts'
import { sameDefinition, withManifest } from './same-definition.ts'

export interface InstallOptions {
  /** Allows a change that breaks stored objects or clients. Default false. */
  readonly allowBreaking?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  readonly clock?: Clock | undefined
  /** Default `homeostat-operator`. */
  readonly fieldManager?: string | undefined
  /** How long the kind may take to be served. Default 30 s. */
  readonly timeout?: Duration | undefined
}

export interface Installed {
  readonly definition: CustomResourceDefinition
  readonly written: 'created' | 'updated' | 'nothing'
  /** As it was before an update. */
  readonly previous?: CustomResourceDefinition | undefined
  /** Changes worth reporting, including those that break nothing. */
  readonly changes: readonly DefinitionChange[]
  /** All differences, e.g. `versions[v1].spec.host is new`. */
  readonly differences: readonly string[]
}

const BREAKING = Symbol.for('homeostat.operator.breaking-change-error')

/** The definition would break stored objects or clients. */
export class BreakingChangeError extends Error {
  readonly [BREAKING] = true
  readonly changes: readonly DefinitionChange[]

  constructor(name: string, changes: readonly DefinitionChange[]) {
    const lines = changes.map(({ path, what, why }) => `  ${path}: ${what} (${why})`)
    super(
      `the definition ${name} is not changed, since this would break what is there:\n${lines.join('\n')}\n` +
        'Add what is new beside what is there, or take the change back. If no object and no client needs the old ' +
        'definition, install it with allowBreaking: true.',
    )
    this.name = 'BreakingChangeError'
    this.changes = changes
  }
}

/** By a brand, since a program may load two copies of this package. */
export function isBreakingChangeError(error: unknown): error is BreakingChangeError {
  return hasBrand(error, BREAKING)
}

/** Concurrent installers conflict once or twice; more conflicts have another cause. */
const MAX_ATTEMPTS = 10

export async function installDefinition(
  client: Client,
  manifest: ApiObject,
  options: InstallOptions = {},
): Promise<Installed> {
  const definition = asDefinition(manifest)
  const { clock = systemClock } = options
  const definitions = client.resourceOf<CustomResourceDefinition>(definition.apiVersion, definition.kind)
  return withinTime(definition, options, async (signal) => {
    const written = await write(definitions, definition, options, signal)
    return { ...written, definition: await whenServed(client, definitions, definition, clock, signal) }
  })
}

/** Waits until the kind of a definition is served that somebody else installs. */
export async function awaitDefinition(
  client: Client,
  manifest: ApiObject,
  options: Pick<InstallOptions, 'signal' | 'clock' | 'timeout'> = {},
): Promise<void> {
  const definition = asDefinition(manifest)
  const { clock = systemClock } = options
  await withinTime(definition, options, (signal) => whenDiscovered(client, definition, clock, signal))
}

async function withinTime<T>(
  { metadata: { name } }: CustomResourceDefinition,
  { clock = systemClock, timeout = '30s', signal }: InstallOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = milliseconds(timeout)
  const late = new AbortController()
  const cancel = clock.setTimer(limit, () => late.abort(new Error(`not served within ${humanDuration(limit)}`)))
  try {
    return await work(signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]))
  } catch (error) {
    if (!late.signal.aborted || signal?.aborted) throw error
    throw new Error(`the definition ${name} is not served after ${humanDuration(limit)}`, { cause: error })
  } finally {
    cancel()
  }
}

async function write(
  definitions: ResourceClient<CustomResourceDefinition>,
  definition: CustomResourceDefinition,
  { allowBreaking = false, fieldManager = 'homeostat-operator' }: InstallOptions,
  signal: AbortSignal,
): Promise<Omit<Installed, 'definition'>> {
  const { name = '' } = definition.metadata
  for (let attempt = 1; ; attempt++) {
    const found = await definitions.find({ name }, { signal })
    if (found?.metadata.deletionTimestamp !== undefined) {
      await whenGone(definitions, found, signal)
      continue
    }
    try {
      if (found === undefined) {
        await definitions.create(definition, { signal, fieldManager })
        return { written: 'created', changes: [], differences: [] }
      }
      const wanted = withManifest(found, definition, fieldManager)
      const changes = breakingChanges(found, wanted)
      const broken = changes.filter((change) => change.breaking)
      if (broken.length > 0 && !allowBreaking) throw new BreakingChangeError(name, broken)
      if (sameDefinition(found, wanted)) return { written: 'nothing', changes, differences: [] }
      await definitions.update(wanted, { signal, fieldManager })
      return { written: 'updated', previous: found, changes, differences: definitionDifferences(found, wanted) }
    } catch (error) {
      const disturbed = ['AlreadyExists', 'Conflict', 'NotFound'].some((reason) =>
        isStatusError(error, reason as 'Conflict'),
      )
      if (!disturbed || attempt >= MAX_ATTEMPTS) throw error
    }
  }
}

function asDefinition(manifest: ApiObject): CustomResourceDefinition {
  if (manifest.kind !== 'CustomResourceDefinition' || !('spec' in manifest)) {
    throw new TypeError(
      `a definition has to be a CustomResourceDefinition, not ${manifest.kind}: use definitionManifest()`,
    )
  }
  return manifest as CustomResourceDefinition
}
