// Older versions of a kind: each has a schema of its own and converts its spec to the next newer version and back. The
// versions between two are passed one after the other.

import type { ApiObject } from '@homeostat/client'
import { formatGroupVersion, parseGroupVersion } from '@homeostat/meta'
import { toWire } from '@homeostat/schema/zod'
import { parseSpec } from '../definition/parse-spec.ts'
import type { SpecOf, SpecSchema, StatusSchema } from './custom-resource-types.ts'

export interface OlderVersionOptions<TSpec extends SpecSchema, TNext extends SpecSchema> {
  readonly spec: TSpec
  /** Without it the status accepts any field. The status is the same in all versions. */
  readonly status?: StatusSchema
  /** The schema of the next newer version. */
  readonly next: TNext
  /** The spec in the next newer version. */
  up(spec: SpecOf<TSpec>): SpecOf<TNext>
  /** The spec in this version. What it cannot hold is lost when somebody writes the object in this version. */
  down(spec: SpecOf<TNext>): SpecOf<TSpec>
  /** Whoever uses it gets a warning. Default false. */
  readonly deprecated?: boolean
}

/** With types erased: the neighbours of a chain differ. */
export interface OlderVersion {
  readonly spec: SpecSchema
  readonly status?: StatusSchema
  readonly deprecated?: boolean
  up(spec: unknown): unknown
  down(spec: unknown): unknown
}

export function olderVersion<TSpec extends SpecSchema, TNext extends SpecSchema>(
  options: OlderVersionOptions<TSpec, TNext>,
): OlderVersion {
  const { spec, next, status, deprecated, up, down } = options
  return {
    spec,
    ...(status && { status }),
    ...(deprecated !== undefined && { deprecated }),
    up: (raw) => toWire(next, up(read(spec, raw))),
    down: (raw) => toWire(spec, down(read(next, raw))),
  }
}

function read<S extends SpecSchema>(schema: S, raw: unknown): SpecOf<S> {
  const parsed = parseSpec(schema, raw)
  if (parsed.ok) return parsed.value
  throw new Error(parsed.problems.map(({ path, message }) => `${path}: ${message}`).join('; '))
}

/** `older` are from the newest to the oldest. */
export function converter(
  group: string,
  newest: string,
  older: Readonly<Record<string, OlderVersion>>,
): (object: ApiObject, version: string) => ApiObject {
  const names = [newest, ...Object.keys(older)]
  return (object, wanted) => {
    const [from, to] = [names.indexOf(parseGroupVersion(object.apiVersion)?.version ?? ''), names.indexOf(wanted)]
    if (from < 0 || to < 0) throw new Error(`${object.apiVersion} cannot be converted into ${wanted}: one is unknown`)
    let { spec } = object as { spec?: unknown }
    for (let at = from; at > to; at--) spec = older[names[at] as string]?.up(spec)
    for (let at = from; at < to; at++) spec = older[names[at + 1] as string]?.down(spec)
    return {
      ...object,
      apiVersion: formatGroupVersion({ group, version: wanted }),
      ...(spec !== undefined && { spec }),
    } as ApiObject
  }
}
