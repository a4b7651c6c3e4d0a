// Adds the handler to definitions that makes a colony assign their objects. `run` calls it before it installs them, and
// checks kinds that exist already.

import type { ApiObject, Client } from '@homeostat/client'
import { HANDLER_ANNOTATION, type Handler } from '@homeostat/executor/protocol'
import type { Controlled } from '../runtime/controlled.ts'
import { handlerOf, type PullOptions } from './pull-options.ts'

export function withHandler(controlled: Controlled, options: PullOptions): Controlled {
  const { definition } = controlled
  if (definition === undefined) return controlled
  const annotations = {
    ...definition.metadata.annotations,
    [HANDLER_ANNOTATION]: JSON.stringify(handlerOf(controlled, options)),
  }
  return { ...controlled, definition: { ...definition, metadata: { ...definition.metadata, annotations } } }
}

/** The function that the colony calls for the kind. Throws when the colony would never call this operator. */
export async function handledBy(
  client: Client,
  { apiVersion, kind }: Controlled,
  { executorType }: PullOptions,
  signal: AbortSignal,
): Promise<string> {
  const info = await client.discover(apiVersion, kind, signal)
  if (info === undefined) throw new Error(`${apiVersion} ${kind} is not served, so its objects cannot be pulled`)
  const name = `${info.resource}.${info.group}`
  const definitions = client.resourceOf<ApiObject>('apiextensions.k8s.io/v1', 'CustomResourceDefinition')
  const definition = info.group === '' ? undefined : await definitions.find({ name }, { signal })
  const handler = readHandler(definition?.metadata.annotations?.[HANDLER_ANNOTATION])
  const wanted = `annotation ${HANDLER_ANNOTATION}: {"executorType":"${executorType}","functionName":"..."}`
  if (handler === undefined) {
    throw new Error(`${kind} cannot be pulled: no handler is named by its definition ${name}; it needs the ${wanted}`)
  }
  if (handler.executorType !== executorType) {
    const other = `executors of the type ${handler.executorType}, not ${executorType}`
    throw new Error(`${kind} cannot be pulled: its definition ${name} is handled by ${other}`)
  }
  return handler.functionName
}

function readHandler(text: string | undefined): Handler | undefined {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isHandler(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isHandler(value: unknown): value is Handler {
  if (typeof value !== 'object' || value === null) return false
  const { executorType, functionName } = value as Partial<Handler>
  return typeof executorType === 'string' && typeof functionName === 'string'
}
