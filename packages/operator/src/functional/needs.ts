// Implements `needs`: reads a dependency, and ends the reconcile as waiting when it is missing or not ready.

import type { ApiObject } from '@homeostat/client'
import { parseSpec } from '../definition/parse-spec.ts'
import type { SpecSchema, StatusSchema } from '../resources/custom-resource-types.ts'
import { shownRef } from '../runtime/object-key.ts'
import { type Waiting, waiting } from '../runtime/outcome.ts'
import type { ObjectRef, ReconcileContext } from '../runtime/reconcile-context.ts'
import type { DefinedKind, Needed, Needs, NeedsOptions } from './context.ts'
import { notReady, READY, readinessOf } from './readiness.ts'

type AnyKind = DefinedKind<SpecSchema, StatusSchema>
type Arguments =
  | [definition: AnyKind, name: string, options?: NeedsOptions<ApiObject>]
  | [apiVersion: string, kind: string, name: string, options?: NeedsOptions<ApiObject>]

export function needsOf(run: ReconcileContext): Needs {
  const needs = async (...given: Arguments): Promise<ApiObject | Needed<SpecSchema, StatusSchema>> => {
    const [definition, ref, options] = readArguments(given)
    const object = await ready(run, ref, options, definition !== undefined)
    return definition ? asDefined(definition, ref, object) : object
  }
  return needs as unknown as Needs
}

function readArguments(given: Arguments): [AnyKind | undefined, ObjectRef, NeedsOptions<ApiObject>] {
  if (typeof given[0] === 'string') {
    const [apiVersion, kind, name, options = {}] = given as [string, string, string, NeedsOptions<ApiObject>?]
    return [undefined, { apiVersion, kind, name, namespace: options.namespace }, options]
  }
  const [definition, name, options = {}] = given as [AnyKind, string, NeedsOptions<ApiObject>?]
  const { apiVersion, kind } = definition
  return [definition, { apiVersion, kind, name, namespace: options.namespace }, options]
}

async function ready(
  run: ReconcileContext,
  ref: ObjectRef,
  options: NeedsOptions<ApiObject>,
  reports: boolean,
): Promise<ApiObject> {
  const object = await run.read(ref)
  if (!object) throw waiting('MissingDependency', `${shown(run, ref)} does not exist`)
  const { readyWhen } = options
  const readiness = !readyWhen
    ? readinessOf(object, { reports })
    : readyWhen(object)
      ? READY
      : notReady('NotReady', 'it is not as it has to be')
  if (readiness.ready) return object
  throw notYet(run, ref, readiness.message || readiness.reason)
}

function asDefined({ spec }: AnyKind, ref: ObjectRef, object: ApiObject): Needed<SpecSchema, StatusSchema> {
  const { metadata } = object
  const { spec: raw, status = {} } = object as { spec?: unknown; status?: object }
  const parsed = parseSpec(spec, raw)
  if (parsed.ok) return { name: ref.name, spec: parsed.value, status, metadata, object }
  const [first] = parsed.problems
  const problem = first ? `${first.path}: ${first.message}` : 'not valid'
  throw waiting('WaitingForDependency', `the spec of ${shownRef(ref)} is not valid: ${problem}`)
}

function notYet(run: ReconcileContext, ref: ObjectRef, message: string): Waiting {
  return waiting('WaitingForDependency', `${shown(run, ref)} is not ready: ${message}`)
}

function shown(run: ReconcileContext, ref: ObjectRef): string {
  const namespace = ref.namespace === run.object.metadata.namespace ? undefined : ref.namespace
  return shownRef({ ...ref, namespace })
}
