// Reconciles definitions: accepts their names, has their kinds served, and deletes the objects of deleted ones. A kind is served
// on this server before its definition says Established.

import { type Clock, ControlLoop, type Log, systemClock, yieldToLoop } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'
import { asDefinition, conditionTrue, DEFINITIONS, type Definition } from '../builtin/definition/definition.ts'
import type { Api, ResourceName } from '../registry/api.ts'
import { LARGE } from '../registry/large.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import { ContentWatch } from './content-watch.ts'
import {
  planDefinition,
  releasedDefinition,
  servingStatus,
  showsTerminatingFor,
  terminatingStatus,
} from './definition-plan.ts'
import { deleteContent } from './delete-content.ts'
import type { ServedDefinitions } from './served-definitions.ts'

/** Reconciles again after this many ms, in case a deletion event was missed. */
const LOOK_AGAIN = 5_000

export interface DefinitionControllerOptions {
  readonly api: Api
  readonly types: ResourceTypes
  readonly served: ServedDefinitions
  readonly log: Log
  readonly clock?: Clock
}

export class DefinitionController {
  readonly #api: Api
  readonly #types: ResourceTypes
  readonly #served: ServedDefinitions
  readonly #clock: Clock
  readonly #loop: ControlLoop
  readonly #content: ContentWatch

  constructor({ api, types, served, log, clock = systemClock }: DefinitionControllerOptions) {
    this.#api = api
    this.#types = types
    this.#served = served
    this.#clock = clock
    this.#loop = new ControlLoop({ name: 'definition', log, clock })
    this.#content = new ContentWatch(api, (name) => this.#loop.add(name))
  }

  /** Resolves when the signal has aborted and the last work is done. */
  async start(signal: AbortSignal): Promise<void> {
    this.#served.listen((name) => this.#loop.add(name))
    await this.#loop.run((name) => this.#reconcile(name, signal), signal)
    this.#served.listen(undefined)
    this.#content.close()
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<void> {
    // A large definition has just been parsed in this tick; yield before working on it again.
    if ((this.#api.object(DEFINITIONS, { name })?.size ?? 0) > LARGE) await yieldToLoop()
    const definition = this.#served.current(name)
    if (definition === undefined) return this.#content.forget(name)
    const action = planDefinition(definition)
    if (action === 'serve') return this.#serve(definition)
    if (action === 'wait') {
      const left = showsTerminatingFor(definition, this.#clock.now())
      if (left > 0) return this.#loop.addAfter(name, left)
    }
    const current = await this.#writeStatus(definition, terminatingStatus(definition, action, this.#clock.now()))
    if (action === 'empty') await this.#empty(current, signal)
  }

  async #serve(definition: Definition): Promise<void> {
    const status = servingStatus(definition, this.#served.taken(definition), this.#clock.now())
    if (status === definition.status) return
    const updated = { ...definition, status }
    // Remember it before the write, so that a concurrent decision on another definition sees the names as taken.
    this.#served.remember(updated)
    // Serve endpoint, discovery and schema before the status says so: clients act on the status.
    if (conditionTrue(updated, 'Established')) this.#served.publish(updated)
    await this.#writeStatus(definition, status)
  }

  /** The status write before this makes creates visible that were in flight when the deletion began. */
  async #empty(definition: Definition, signal: AbortSignal): Promise<void> {
    const name = definition.metadata.name ?? ''
    const instances = this.#instancesOf(definition)
    if (instances !== undefined) {
      this.#content.await(name, [instances])
      await deleteContent(this.#api, instances, undefined, signal)
      if (this.#api.count(instances) > 0) return this.#loop.addAfter(name, LOOK_AGAIN)
    }
    try {
      await this.#api.update(DEFINITIONS, releasedDefinition(definition))
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error
    }
  }

  async #writeStatus(definition: Definition, status: Definition['status']): Promise<Definition> {
    if (status === definition.status) return definition
    return asDefinition(await this.#api.update(DEFINITIONS, { ...definition, status }, 'status'))
  }

  /** Undefined when the definition was never established: then the objects under its name are another's. */
  #instancesOf({ spec }: Definition): ResourceName | undefined {
    const type = this.#types.stored(spec.group, spec.names.plural)
    return type?.custom ? { group: spec.group, resource: spec.names.plural } : undefined
  }
}
