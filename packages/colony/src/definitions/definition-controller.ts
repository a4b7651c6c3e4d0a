// Reconciles definitions of colonies.io: each has one CustomResourceDefinition of its name, and a condition that says whether
// it could be made. A change of that CustomResourceDefinition is undone; one that somebody else made is never touched.

import type { Api, ResourceName } from '@homeostat/apiserver'
import { type Clock, ControlLoop, type Log } from '@homeostat/base'
import { deepEqual, isStatusError, type KubeObject } from '@homeostat/meta'
import {
  type DefinitionStatus,
  definitionStatus,
  isOwned,
  namesConflict,
  ownerOf,
  planDefinition,
  refusedBefore,
  type Wanted,
} from './definition-plan.ts'
import type { Refused } from './version-plan.ts'

const MADE: ResourceName = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' }
const KINDS: readonly ResourceName[] = ['resourcedefinitions', 'customresourcedefinitions'].map((resource) => ({
  group: 'colonies.io',
  resource,
}))

export interface DefinitionParts {
  readonly api: Api
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
  readonly events?: EventSink
}

/** Records the events about a definition. */
export interface EventSink {
  record(regarding: KubeObject, event: { type?: 'Normal' | 'Warning'; reason: string; message: string }): void
}

export class DefinitionController {
  readonly #parts: DefinitionParts
  readonly #api: Api
  readonly #loop: ControlLoop

  constructor(parts: DefinitionParts) {
    this.#parts = parts
    this.#api = parts.api
    this.#loop = new ControlLoop({ ...parts, name: 'colony-definitions', workers: 2 })
  }

  /** Resolves when the signal has ended it. */
  async run(): Promise<void> {
    const { signal } = this.#parts
    const stops = [...KINDS, MADE].map((resource) => this.#api.subscribe(resource, ({ name }) => this.#loop.add(name)))
    await this.#loop.run((name) => this.#reconcile(name), signal)
    for (const stop of stops) stop()
  }

  /** Both kinds have the same names: of two, the one that is served keeps what it made. */
  async #reconcile(name: string): Promise<void> {
    const found = KINDS.flatMap((resource) => {
      const definition = this.#api.get(resource, { name })
      return definition ? [{ resource, definition }] : []
    })
    for (const { resource, definition } of found) {
      if (definition.metadata.deletionTimestamp === undefined) await this.#make(resource, definition)
    }
  }

  async #make(resource: ResourceName, definition: KubeObject): Promise<void> {
    const { name = '' } = definition.metadata
    const before = this.#api.get(MADE, { name })
    const wanted = planDefinition(definition, before && isOwned(before, definition) ? before : undefined)
    const refused =
      'reason' in wanted
        ? wanted
        : (refusedBefore(definition, before) ?? (await this.#ensure(definition, before, wanted)))
    const made = this.#api.get(MADE, { name })
    const own = made && isOwned(made, definition) ? made : undefined
    const status = definitionStatus(definition, refused, own, this.#parts.clock.now())
    if (deepEqual(status, definition.status)) return
    this.#recordEvent(definition, status, refused)
    await this.#api.change(
      resource,
      { name },
      (object) => {
        if (object.metadata.uid === definition.metadata.uid) object.status = status
      },
      { subresource: 'status' },
    )
  }

  /** Records one event for each generation, and one when the reason of a refusal changes. */
  #recordEvent(definition: KubeObject, { conditions = [] }: DefinitionStatus, refused: Refused | undefined): void {
    const before = ((definition.status ?? {}) as DefinitionStatus).conditions?.find(({ type }) => type === 'Accepted')
    const now = conditions.find(({ type }) => type === 'Accepted')
    if (before?.reason === now?.reason && before?.observedGeneration === now?.observedGeneration) return
    const event = refused
      ? ({ type: 'Warning', ...refused } as const)
      : { reason: 'Accepted', message: `its kind is defined by CustomResourceDefinition ${definition.metadata.name}` }
    this.#parts.events?.record(definition, event)
  }

  /** Returns why it could not be created or updated. */
  async #ensure(definition: KubeObject, before: KubeObject | undefined, wanted: Wanted): Promise<Refused | undefined> {
    const { name = '' } = definition.metadata
    try {
      if (before === undefined) await this.#api.create(MADE, newDefinition(name, definition, wanted))
      else if (!isOwned(before, definition)) return namesConflict(definition, before)
      else if (before.metadata.deletionTimestamp === undefined) {
        await this.#api.change(MADE, { name }, (made) => {
          if (isOwned(made, definition)) bringUpToDate(made, wanted)
        })
      }
      return undefined
    } catch (error) {
      if (isStatusError(error, 'AlreadyExists')) return namesConflict(definition, this.#api.get(MADE, { name }))
      if (!isStatusError(error, 'Invalid') && !isStatusError(error, 'BadRequest')) throw error
      const aboutSchema = error.message.includes('openAPIV3Schema')
      return { reason: aboutSchema ? 'InvalidSchema' : 'Invalid', message: error.message }
    }
  }
}

function newDefinition(name: string, definition: KubeObject, wanted: Wanted): KubeObject {
  const made: KubeObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name, ownerReferences: [ownerOf(definition)] },
  }
  bringUpToDate(made, wanted)
  return made
}

/** Of the metadata only what the colony owns. A spec that comes out the same is not written. */
function bringUpToDate(made: KubeObject, { spec, annotations }: Wanted): void {
  const all: Record<string, string | undefined> = { ...made.metadata.annotations, ...annotations }
  made.metadata.annotations = Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  made.spec = structuredClone(spec)
}
