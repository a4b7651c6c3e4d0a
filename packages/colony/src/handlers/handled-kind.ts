// A kind whose definition names a handler, read from its CustomResourceDefinition. Pure.

import type { ResourceName } from '@homeostat/apiserver'
import { messageOf } from '@homeostat/base'
import { HANDLER_ANNOTATION, type Handler } from '@homeostat/executor/protocol'
import { isObject, type KubeObject, qualifiedName } from '@homeostat/meta'
import { FIELD_PATH } from '../kinds/field-path.ts'

export interface HandledKind {
  /** `group/resource`, the first part of the keys of its objects. */
  readonly id: string
  readonly resource: ResourceName
  /** Has the storage version. */
  readonly apiVersion: string
  readonly kind: string
  readonly namespaced: boolean
  readonly handler: Handler
  /** Whether conditions are a list map by type, so that several managers can own conditions. */
  readonly sharesConditions: boolean
}

/** The colony itself reconciles this type: the resource's components become its children. */
export const COMPOSITE = 'composite'

type Loose = Readonly<Record<string, unknown>>

interface Version {
  readonly name: string
  readonly storage: boolean
  readonly schema?: { readonly openAPIV3Schema?: Loose }
  readonly subresources?: { readonly status?: unknown }
}

/** Undefined without a handler; a string says why the handler is ignored. */
export function readHandledKind({ metadata, ...definition }: KubeObject): HandledKind | string | undefined {
  const text = metadata.annotations?.[HANDLER_ANNOTATION]
  if (text === undefined) return undefined
  const handler = readHandler(text)
  if (typeof handler === 'string') return handler
  const { group, names, scope, versions } = definition.spec as {
    group: string
    names: { plural: string; kind: string }
    scope: string
    versions: readonly Version[]
  }
  const stored = versions.find(({ storage }) => storage)
  const status = statusOf(stored)
  if (stored === undefined || typeof status === 'string') return String(status)
  return {
    id: kindId(group, names.plural),
    resource: { group, resource: names.plural },
    apiVersion: `${group}/${stored.name}`,
    kind: names.kind,
    namespaced: scope === 'Namespaced',
    handler,
    sharesConditions: sharesConditions(status),
  }
}

export function kindId(group: string, resource: string): string {
  return `${group}/${resource}`
}

function readHandler(text: string): Handler | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return `annotation ${HANDLER_ANNOTATION} is no JSON: ${messageOf(error)}`
  }
  if (!isObject(value)) return `annotation ${HANDLER_ANNOTATION} must be an object`
  const { executorType, functionName, reconcileInterval, location, locationFrom, softwareFrom, finalizer } = value
  const wrong = (what: string) => `annotation ${HANDLER_ANNOTATION}: ${what}`
  if (typeof executorType !== 'string' || executorType === '') return wrong('executorType must be a text')
  if (typeof functionName !== 'string' || functionName === '') return wrong('functionName must be a text')
  if (reconcileInterval !== undefined && !isInterval(reconcileInterval)) {
    return wrong(`reconcileInterval must be a number of seconds from 0 to ${LONGEST_INTERVAL}`)
  }
  if (location !== undefined && typeof location !== 'string') return wrong('location must be a text')
  for (const [name, paths] of Object.entries({ locationFrom, softwareFrom })) {
    if (paths !== undefined && !isPaths(paths)) return wrong(`${name} must be a list of paths such as .spec.location`)
  }
  if (finalizer !== undefined && !(typeof finalizer === 'string' && qualifiedName(finalizer).length === 0)) {
    return wrong('finalizer must be a name such as example.com/finalizer')
  }
  return {
    executorType,
    functionName,
    ...(reconcileInterval !== undefined && { reconcileInterval }),
    ...(location !== undefined && location !== '' && { location }),
    ...(isPaths(locationFrom) && { locationFrom }),
    ...(isPaths(softwareFrom) && { softwareFrom }),
    ...(finalizer !== undefined && { finalizer }),
  }
}

/** The limit in the schema of ResourceDefinition: 68 years. */
const LONGEST_INTERVAL = 2 ** 31 - 1

function isInterval(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= LONGEST_INTERVAL
}

function isPaths(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((path) => typeof path === 'string' && FIELD_PATH.test(path))
}

/** The schema of the status. It must keep observedGeneration, or every reconcile would create another Process. */
function statusOf(version: Version | undefined): Loose | string {
  if (version?.subresources?.status === undefined) return 'a handler needs the subresource status'
  const root = version.schema?.openAPIV3Schema ?? {}
  const status = propertiesOf(root).status
  if (!isObject(status)) return root[PRESERVE] === true ? { [PRESERVE]: true } : NO_PLACE
  return status[PRESERVE] === true || isObject(propertiesOf(status).observedGeneration) ? status : NO_PLACE
}

const PRESERVE = 'x-kubernetes-preserve-unknown-fields'
const NO_PLACE = 'a handler needs a status with observedGeneration'

function sharesConditions(status: Loose): boolean {
  const { conditions } = propertiesOf(status)
  return isObject(conditions) && conditions['x-kubernetes-list-type'] === 'map'
}

function propertiesOf({ properties }: Loose): Loose {
  return isObject(properties) ? properties : {}
}
