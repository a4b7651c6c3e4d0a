// Builds the context of an author's function from the runtime's ReconcileContext.

import type { ApiObject } from '@homeostat/client'
import type { SpecSchema, StatusSchema } from '../resources/custom-resource-types.ts'
import type { Cluster } from '../runtime/cluster.ts'
import { shownRef } from '../runtime/object-key.ts'
import { waiting } from '../runtime/outcome.ts'
import { isForeign } from '../runtime/owner-scope.ts'
import type { Duration } from '../runtime/reconcile-context.ts'
import type { RunContext } from '../runtime/run-context.ts'
import { ensureSecret } from '../secrets/ensure-secret.ts'
import type { SecretObject } from '../secrets/secret-object.ts'
import type { Child, ChildOptions } from './child.ts'
import type { ChildSet } from './child-set.ts'
import type { Context, FinalizeContext, ListSelection, SecretOptions } from './context.ts'
import { needsOf } from './needs.ts'
import { OWNER_LABEL, ownerReference, type Parent } from './ownership.ts'

type AnyContext = Context<SpecSchema, StatusSchema>
type AnyFinalizeContext = FinalizeContext<SpecSchema, StatusSchema>

/** `spec` is parsed on access: a finalizer that does not read it works with an invalid spec. */
export function finalizeContext(run: RunContext, spec: () => unknown): AnyFinalizeContext {
  const { object } = run
  const { metadata } = object
  const { status = {} } = object as { status?: object }
  const context = {
    name: metadata.name ?? '',
    namespace: metadata.namespace,
    get spec() {
      return spec()
    },
    status,
    metadata,
    object,
    signal: run.signal,
    clock: run.clock,
    random: run.random,
    log: run.log,
    conditions: run.conditions,
    event: run.event.bind(run),
    get: (apiVersion: string, kind: string, name: string, { namespace }: { namespace?: string } = {}) =>
      run.read({ apiVersion, kind, name, namespace }),
    list: (apiVersion: string, kind: string, selection: ListSelection = {}) =>
      list(run, { apiVersion, kind }, selection),
  }
  return context as unknown as AnyFinalizeContext
}

export interface ContextParts {
  readonly run: RunContext
  readonly cluster: Cluster
  readonly parent: Parent
  readonly children: ChildSet
  readonly spec: unknown
  onRequeue(after: Duration): void
}

export function runContext(parts: ContextParts): AnyContext {
  const { run, children, spec, onRequeue } = parts
  const base = finalizeContext(run, () => spec)
  const context = {
    ...base,
    child: (apiVersion: string, kind: string, body: object, options: ChildOptions<ApiObject> = {}): Child =>
      children.make(apiVersion, kind, body as Record<string, unknown>, options),
    needs: needsOf(run),
    secret: secretOf(parts),
    requeueAfter: onRequeue,
  }
  return context as unknown as AnyContext
}

async function list(
  run: RunContext,
  kind: { apiVersion: string; kind: string },
  selection: ListSelection,
): Promise<ApiObject[]> {
  const { labels, allNamespaces = false } = selection
  const info = await run.kind(kind)
  const everywhere = allNamespaces || info?.namespaced === false
  const namespace = everywhere ? undefined : (selection.namespace ?? run.object.metadata.namespace)
  return run.readAll(kind, { ...(namespace !== undefined && { namespace }), ...(labels && { labels }) })
}

function secretOf({ run, cluster, parent, children }: ContextParts): AnyContext['secret'] {
  return async (name, schema, generate, options: SecretOptions = {}) => {
    const { namespace = parent.namespace, labels, ...traits } = options
    const ref = { apiVersion: 'v1', kind: 'Secret', name, namespace }
    if (namespace === undefined)
      throw new Error(`${shownRef(ref)} needs a namespace: give it in the options of secret()`)
    children.claim(ref)
    const live = await run.read<SecretObject>(ref)
    if (!live && !children.mayMake(ref)) throw waiting('Recording', `${shownRef(ref)} is made once it is on record`)
    const owned = isForeign(parent, ref)
      ? { labels: { ...labels, [OWNER_LABEL]: parent.uid } }
      : { ...(labels && { labels }), owner: ownerReference(parent) }
    const { signal } = run
    return ensureSecret(
      cluster,
      { ...traits, ...owned, name, namespace, schema, generator: generate, signal },
      { cached: live },
    )
  }
}
