// The kinds that CustomResourceDefinitions define, with the handlers of their objects.

import type { ApiObject, Client } from '@homeostat/client'
import { HANDLER_ANNOTATION, type Handler } from '@homeostat/executor/protocol'
import { listObjects } from './objects.ts'
import { DEFINITIONS, type Place } from './paths.ts'

export interface Definition extends ApiObject {
  readonly spec: {
    readonly group: string
    readonly scope: 'Namespaced' | 'Cluster'
    readonly names: {
      readonly kind: string
      readonly plural: string
      readonly singular?: string
      readonly shortNames?: readonly string[]
    }
    readonly versions: readonly { readonly name: string; readonly served: boolean; readonly storage: boolean }[]
  }
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[]
    readonly storedVersions?: readonly string[] | null
  }
}

export interface DefinedKind extends Place {
  readonly kind: string
  readonly definition: Definition
  readonly handler: Handler | undefined
}

export async function readDefinitions(client: Client, labelSelector?: string): Promise<Definition[]> {
  return listObjects<Definition>(client, DEFINITIONS, { labelSelector })
}

/** The kinds that have a handler, in the order of their names. */
export async function handledKinds(client: Client): Promise<DefinedKind[]> {
  return (await readDefinitions(client)).map(definedKind).filter(({ handler }) => handler !== undefined)
}

export function definedKind(definition: Definition): DefinedKind {
  const { group, names, scope } = definition.spec
  const version = servedVersion(definition)
  const handler = handlerOf(definition)
  return {
    group,
    version,
    plural: names.plural,
    namespaced: scope === 'Namespaced',
    kind: names.kind,
    definition,
    handler,
  }
}

/** The storage version if it is served, else the first that is served. */
export function servedVersion({ spec: { versions } }: Definition): string {
  const served = versions.filter((version) => version.served)
  return (served.find(({ storage }) => storage) ?? served[0] ?? versions[0])?.name ?? ''
}

/** Undefined without the annotation, and when it is malformed. */
export function handlerOf({ metadata }: Definition): Handler | undefined {
  const text = metadata.annotations?.[HANDLER_ANNOTATION]
  if (text === undefined) return undefined
  try {
    const handler = JSON.parse(text) as Partial<Handler> | null
    const { executorType, functionName } = handler ?? {}
    return typeof executorType === 'string' && typeof functionName === 'string' ? (handler as Handler) : undefined
  } catch {
    return undefined
  }
}

/** `TYPE/FUNCTION`; empty without a handler. */
export function handlerText(handler: Handler | undefined): string {
  return handler === undefined ? '' : `${handler.executorType}/${handler.functionName}`
}

/** Whether the word names this kind: its name in any case, its plural, singular, short name, or full name. */
export function isCalled({ metadata, spec: { group, names } }: Definition, word: string): boolean {
  const { kind, plural, singular = '', shortNames = [] } = names
  const lower = word.toLowerCase()
  const short = [kind.toLowerCase(), plural, singular, ...shortNames]
  return lower === metadata.name || short.some((name) => lower === name || lower === `${name}.${group}`)
}

export function isEstablished({ status }: Definition): boolean {
  return status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ?? false
}
