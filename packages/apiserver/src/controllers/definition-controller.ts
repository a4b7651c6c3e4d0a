// Reconciles definitions: accepts their names, serves their kinds, and deletes the objects of deleted ones. It alone
// writes the custom part of the ResourceTypes, and a kind is served before its definition says Established.

import { type Clock, ControlLoop, type Log, systemClock, yieldToLoop } from '@homeostat/base'
import { deepEqual, findCondition, isStatusError } from '@homeostat/meta'
import {
  asDefinition,
  conditionTrue,
  DEFINITIONS,
  type Definition,
  type DefinitionNames,
} from '../builtin/definition/definition.ts'
import { CREATE_NAMESPACES, customTypes, NO_HISTORY, UNCONDITIONAL_UPDATE } from '../custom/custom-types.ts'
import { nextView, type View } from '../custom/view-epoch.ts'
import type { Api, ResourceName } from '../registry/api.ts'
import { LARGE } from '../registry/large.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import type { WebhookCalls } from '../webhook/webhook-calls.ts'
import { ContentWatch } from './content-watch.ts'
import { type TakenNames, takenNames } from './definition-names.ts'
import { planDefinition, releasedDefinition, servingStatus, terminatingStatus } from './definition-plan.ts'
import { deleteContent } from './delete-content.ts'

/** Reconciles again after this many ms, in case a deletion event was missed. */
const LOOK_AGAIN = 5_000

export interface DefinitionControllerOptions {
  readonly api: Api
  readonly types: ResourceTypes
  readonly log: Log
  readonly clock?: Clock
  /** How conversion webhooks are called. */
  readonly webhooks?: WebhookCalls | undefined
}

export class DefinitionController {
  readonly #api: Api
  readonly #types: ResourceTypes
  readonly #webhooks: WebhookCalls | undefined
  readonly #clock: Clock
  readonly #log: Log
  readonly #loop: ControlLoop
  readonly #content: ContentWatch
  /** Every definition as last seen, with its view epoch. */
  readonly #known = new Map<string, View>()
  /** Definitions as `#changed` parsed them, until they are reconciled: a start parses each once. */
  readonly #parsed = new Map<string, Definition>()
  /** The definitions that the custom part of the ResourceTypes was made from. */
  readonly #published = new Map<string, Definition>()

  constructor({ api, types, log, clock = systemClock, webhooks }: DefinitionControllerOptions) {
    this.#webhooks = webhooks
    this.#api = api
    this.#types = types
    this.#clock = clock
    this.#log = log
    this.#loop = new ControlLoop({ name: 'definition', log, clock })
    this.#content = new ContentWatch(api, (name) => this.#loop.add(name))
  }

  /** Serves every established definition synchronously. The server calls it before it listens. */
  publishAll(): void {
    for (const { name } of this.#api.names(DEFINITIONS, undefined, Number.POSITIVE_INFINITY)) this.#changed(name)
  }

  /** Resolves when the signal has aborted and the last work is done. */
  async start(signal: AbortSignal): Promise<void> {
    const stop = this.#api.subscribe(DEFINITIONS, ({ name }) => this.#changed(name))
    await this.#loop.run((name) => this.#reconcile(name, signal), signal)
    stop()
    this.#content.close()
  }

  /** Runs synchronously with the commit, so that no later request sees the old schema. Must not throw. */
  #changed(name: string): void {
    try {
      this.#parsed.delete(name)
      const object = this.#api.get(DEFINITIONS, { name })
      if (object === undefined) this.#gone(name)
      else this.#see(asDefinition(object))
    } catch (error) {
      this.#log.error({ err: error, definition: name }, 'a definition cannot be served')
    }
    this.#loop.add(name)
  }

  #see(definition: Definition): void {
    this.#parsed.set(definition.metadata.name ?? '', definition)
    this.#remember(definition)
    if (conditionTrue(definition, 'Established')) this.#publish(definition)
  }

  #remember(definition: Definition): void {
    const name = definition.metadata.name ?? ''
    const known = this.#known.get(name)
    this.#known.set(name, nextView(known, definition))
    const before = known?.definition.status.acceptedNames
    if (before !== undefined && !deepEqual(before, definition.status.acceptedNames)) this.#askOthers(definition)
  }

  #gone(name: string): void {
    const known = this.#known.get(name)
    this.#known.delete(name)
    this.#content.forget(name)
    if (this.#published.delete(name)) this.#types.set(...placeOf(name), [])
    if (known !== undefined) this.#askOthers(known.definition)
  }

  /** Queues the definitions of the group that wait for a name: one may have become free. */
  #askOthers({ spec, metadata }: Definition): void {
    for (const [name, { definition }] of this.#known) {
      if (definition.spec.group !== spec.group || name === metadata.name) continue
      if (findCondition(definition.status.conditions ?? [], 'NamesAccepted')?.status === 'False') {
        this.#loop.add(name)
      }
    }
  }

  #publish(definition: Definition): void {
    const name = definition.metadata.name ?? ''
    const before = this.#published.get(name)
    if (before !== undefined && sameService(before, definition)) return
    const epoch = this.#known.get(name)?.epoch ?? 0
    this.#types.set(...placeOf(name), customTypes(definition, epoch, this.#webhooks))
    this.#published.set(name, definition)
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<void> {
    // `#changed` has just parsed a large definition in this tick; yield before working on it again.
    if ((this.#api.object(DEFINITIONS, { name })?.size ?? 0) > LARGE) await yieldToLoop()
    const definition = this.#current(name)
    if (definition === undefined) return
    const action = planDefinition(definition)
    if (action === 'serve') return this.#serve(definition)
    const current = await this.#writeStatus(definition, terminatingStatus(definition, action, this.#clock.now()))
    if (action === 'empty') await this.#empty(current, signal)
  }

  /** The definition as it is stored now. */
  #current(name: string): Definition | undefined {
    const parsed = this.#parsed.get(name)
    this.#parsed.delete(name)
    const revision = this.#api.object(DEFINITIONS, { name })?.revision
    if (parsed !== undefined && parsed.metadata.resourceVersion === String(revision)) return parsed
    const object = this.#api.get(DEFINITIONS, { name })
    return object && asDefinition(object)
  }

  async #serve(definition: Definition): Promise<void> {
    const status = servingStatus(definition, this.#taken(definition), this.#clock.now())
    if (status === definition.status) return
    const updated = { ...definition, status }
    // Remember it before the write, so that a concurrent decision on another definition sees the names as taken.
    this.#remember(updated)
    // Serve endpoint, discovery and schema before the status says so: clients act on the status.
    if (conditionTrue(updated, 'Established')) this.#publish(updated)
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

  #taken({ spec, metadata }: Definition): TakenNames {
    const names: DefinitionNames[] = []
    for (const [name, { definition }] of this.#known) {
      if (definition.spec.group === spec.group && name !== metadata.name) names.push(definition.status.acceptedNames)
    }
    for (const { custom, group, resource, singular, shortNames, kind, listKind } of this.#types.all()) {
      if (custom || group !== spec.group) continue
      names.push({ plural: resource, singular, shortNames: [...shortNames], kind, listKind })
    }
    return takenNames(names)
  }
}

/** A definition's name is `plural.group`. */
function placeOf(name: string): [group: string, resource: string] {
  const dot = name.indexOf('.')
  return [name.slice(dot + 1), name.slice(0, dot)]
}

/** Whether both definitions make the same types, so that a change of another part of the status publishes nothing. */
function sameService(a: Definition, b: Definition): boolean {
  return (
    a.metadata.uid === b.metadata.uid &&
    a.metadata.generation === b.metadata.generation &&
    a.metadata.deletionTimestamp === b.metadata.deletionTimestamp &&
    [UNCONDITIONAL_UPDATE, CREATE_NAMESPACES, NO_HISTORY].every(
      (key) => a.metadata.annotations?.[key] === b.metadata.annotations?.[key],
    ) &&
    deepEqual(a.status.acceptedNames, b.status.acceptedNames)
  )
}
