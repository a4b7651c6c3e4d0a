// The state of one walk over a Zod schema: its path and its findings. The functions that translate a type get it and call it
// for the schemas inside.

import type { JsonSchema } from '../json-schema.ts'
import type { ZodSchema } from './zod-schema.ts'

/** Where a schema stands. */
export interface Place {
  /** For people: `spec.ports[].name`. */
  readonly path: string
  /** For columns: `.spec.name`; undefined below lists and maps, where no path leads to one value. */
  readonly jsonPath: string | undefined
  /** Whether a server can tell which value was here before: not below lists without keys. */
  readonly correlated: boolean
  /** The schemas around this one, outermost first. */
  readonly around: readonly ZodSchema[]
}

export interface Column {
  name: string
  type: string
  jsonPath: string
  format?: string
  description?: string
  priority?: number
}

export interface ScalePaths {
  specReplicasPath?: string
  statusReplicasPath?: string
  labelSelectorPath?: string
}

export interface Walk {
  /** How often a recursive schema is written out before it is cut. */
  readonly recursion: number
  node(schema: ZodSchema, place: Place): JsonSchema
  /** Reports a schema that no server accepts, with what to do instead. */
  problem(place: Place, message: string): void
  /** Reports that the server checks less than Zod, or that something is left out. */
  warn(place: Place, message: string): void
  column(column: Column): void
  selectable(jsonPath: string): void
  scale(part: keyof ScalePaths, jsonPath: string): void
}

export type Translate = (walk: Walk, schema: ZodSchema, place: Place) => JsonSchema

export function fieldPlace(place: Place, name: string): Place {
  const simple = /^[A-Za-z_][\w-]*$/.test(name)
  const step = simple ? `.${name}` : `['${name}']`
  return {
    ...place,
    path: place.path + step,
    jsonPath: place.jsonPath === undefined ? undefined : place.jsonPath + step,
  }
}

export function itemPlace(place: Place, correlated: boolean): Place {
  return { ...place, path: `${place.path}[]`, jsonPath: undefined, correlated: place.correlated && correlated }
}

export function valuePlace(place: Place): Place {
  return { ...place, path: `${place.path}.*`, jsonPath: undefined }
}
