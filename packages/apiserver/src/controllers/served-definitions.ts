// Serves the kinds of established definitions on this server: it alone writes the custom part of the ResourceTypes. Every server
// has one; the controller that accepts names and writes statuses works with it where the server has that duty.

import type { Log } from '@homeostat/base'
import { deepEqual, findCondition } from '@homeostat/meta'
import {
  asDefinition,
  conditionTrue,
  DEFINITIONS,
  type Definition,
  type DefinitionNames,
  hasConversionWebhook,
} from '../builtin/definition/definition.ts'
import {
  type ConversionFacts,
  CREATE_NAMESPACES,
  customTypes,
  NO_HISTORY,
  UNCONDITIONAL_UPDATE,
} from '../custom/custom-types.ts'
import { nextView, type View } from '../custom/view-epoch.ts'
import type { ApiFollows, ApiReads } from '../registry/api.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import { storedVersionOf } from '../registry/stored-version.ts'
import type { WebhookCalls } from '../webhook/webhook-calls.ts'
import { type TakenNames, takenNames } from './definition-names.ts'

export interface ServedDefinitionsOptions {
  readonly api: ApiReads & ApiFollows
  readonly types: ResourceTypes
  readonly log: Log
  /** How conversion webhooks are called. */
  readonly webhooks?: WebhookCalls | undefined
}

/** Hears which definitions are to be looked at. */
export type DefinitionListener = (name: string) => void

export class ServedDefinitions {
  readonly #api: ApiReads & ApiFollows
  readonly #types: ResourceTypes
  readonly #webhooks: WebhookCalls | undefined
  readonly #log: Log
  /** Every definition as last seen, with its view epoch. */
  readonly #known = new Map<string, View>()
  /** Definitions as `#changed` parsed them, until the controller takes them: a start parses each once. */
  readonly #parsed = new Map<string, Definition>()
  /** The definitions that the custom part of the ResourceTypes was made from. */
  readonly #published = new Map<string, Definition>()
  #listener: DefinitionListener | undefined
  readonly #stop: () => void

  /** Serves every established definition synchronously. The server makes it before it listens. */
  constructor({ api, types, log, webhooks }: ServedDefinitionsOptions) {
    this.#api = api
    this.#types = types
    this.#log = log
    this.#webhooks = webhooks
    this.#stop = api.subscribe(DEFINITIONS, ({ name }) => this.#changed(name))
  }

  /** Calls with every definition, and from now on with each that changed or may go on; undefined: with none. */
  listen(listener: DefinitionListener | undefined): void {
    this.#listener = listener
    if (listener === undefined) this.#parsed.clear()
    else for (const { name } of this.#api.names(DEFINITIONS, undefined, Number.POSITIVE_INFINITY)) listener(name)
  }

  close(): void {
    this.#stop()
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
    this.#listener?.(name)
  }

  #see(definition: Definition): void {
    // Kept for a listener that comes later, too: `#known` holds the same object.
    this.#parsed.set(definition.metadata.name ?? '', definition)
    this.remember(definition)
    if (conditionTrue(definition, 'Established')) this.publish(definition)
  }

  remember(definition: Definition): void {
    const name = definition.metadata.name ?? ''
    const known = this.#known.get(name)
    this.#known.set(name, nextView(known, definition))
    const before = known?.definition.status.acceptedNames
    if (before !== undefined && !deepEqual(before, definition.status.acceptedNames)) this.#askOthers(definition)
  }

  #gone(name: string): void {
    const known = this.#known.get(name)
    this.#known.delete(name)
    if (this.#published.delete(name)) this.#types.set(...placeOf(name), [])
    if (known !== undefined) this.#askOthers(known.definition)
  }

  /** Queues the definitions of the group that wait for a name: one may have become free. */
  #askOthers({ spec, metadata }: Definition): void {
    for (const [name, { definition }] of this.#known) {
      if (definition.spec.group !== spec.group || name === metadata.name) continue
      if (findCondition(definition.status.conditions ?? [], 'NamesAccepted')?.status === 'False') {
        this.#listener?.(name)
      }
    }
  }

  publish(definition: Definition): void {
    const name = definition.metadata.name ?? ''
    const before = this.#published.get(name)
    if (before !== undefined && sameService(before, definition)) return
    const epoch = this.#known.get(name)?.epoch ?? 0
    this.#types.set(...placeOf(name), customTypes(definition, epoch, this.#conversion(definition)))
    this.#published.set(name, definition)
  }

  #conversion({ spec, status }: Definition): ConversionFacts | undefined {
    if (this.#webhooks === undefined || !hasConversionWebhook(spec)) return undefined
    return { calls: this.#webhooks, mixed: isMixed(spec, status, () => this.#storedVersions(spec)) }
  }

  /** The versions in which objects are stored. The status of the definition alone may be wrong: anybody may write it. */
  *#storedVersions({ group, names }: Definition['spec']): Generator<string> {
    for (const object of this.#api.objects({ group, resource: names.plural }))
      if (object.damage === undefined) yield storedVersionOf(object.stored)
  }

  /** The definition as this server serves it; its status may not be stored yet. */
  seen(name: string): Definition | undefined {
    return this.#known.get(name)?.definition
  }

  /** The definition as it is stored now. */
  current(name: string): Definition | undefined {
    const parsed = this.#parsed.get(name)
    this.#parsed.delete(name)
    const revision = this.#api.object(DEFINITIONS, { name })?.revision
    if (parsed !== undefined && parsed.metadata.resourceVersion === String(revision)) return parsed
    const object = this.#api.get(DEFINITIONS, { name })
    return object && asDefinition(object)
  }

  /** The names that other definitions of the group and built-in kinds have. */
  taken({ spec, metadata }: Definition): TakenNames {
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

function isMixed(
  { group, versions }: Definition['spec'],
  status: Definition['status'],
  stored: () => Iterable<string>,
): boolean {
  const storage = versions.find((version) => version.storage)?.name
  if (status.storedVersions?.some((version) => version !== storage)) return true
  for (const version of stored()) if (version !== `${group}/${storage}`) return true
  return false
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
    deepEqual(a.status.acceptedNames, b.status.acceptedNames) &&
    (!hasConversionWebhook(a.spec) || deepEqual(a.status.storedVersions, b.status.storedVersions))
  )
}
