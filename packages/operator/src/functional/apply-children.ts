// Applies, owns and prunes the children of one object for a program that runs no operator. The rules are those of
// children that a function returns, without informers: it reads each child before it writes it. It never writes the
// parent.

import type { ApiObject, Client, ResourceInfo, Sent } from '@homeostat/client'
import { readInventory, refKey, writeInventory } from '../resources/inventory.ts'
import { isAsWanted } from '../runtime/apply-plan.ts'
import { type KindRef, shownRef } from '../runtime/object-key.ts'
import { OwnedParts } from '../runtime/owned-parts.ts'
import type { Applied, Conditions, Manifest, ObjectRef } from '../runtime/reconcile-context.ts'
import type { Target } from '../runtime/run-target.ts'
import { sentForm } from '../runtime/sent-form.ts'
import { ChildSet, handleOf, type Settled } from './child-set.ts'
import { type Parent, parentOf } from './ownership.ts'
import { prune, removeForeign } from './prune.ts'
import type { PruneGuard } from './prune-plan.ts'

export interface ChildrenParts {
  readonly client: Client
  readonly fieldManager: string
  readonly signal: AbortSignal
  /** The current parent: its status holds the inventory of its children. */
  readonly parent: ApiObject
}

export interface ChildrenOptions extends ChildrenParts {
  /** All children that must exist. Name and namespace default to the parent's. */
  readonly children: readonly ApiObject[]
  /** False keeps children that are not in the list. Default: they are pruned within the prune guard. */
  readonly prune?: PruneGuard | false
  /**
   * Writes the inventory to the parent's status, before children are created that only the inventory can find again.
   */
  record(inventory: readonly ObjectRef[]): Promise<void>
}

export interface ChildrenResult {
  /** The inventory to store in the parent's status. */
  readonly inventory: readonly ObjectRef[]
  readonly children: readonly Settled[]
  /** Why a child is not as described. Nothing is pruned then. */
  readonly problems: readonly string[]
  readonly changed: boolean
}

const PARALLEL = 8

export async function applyChildren(options: ChildrenOptions): Promise<ChildrenResult> {
  const { parent: object, children, record } = options
  const parent = parentOf(object)
  const run = new DirectRun(options)
  const settle = async (recorded: readonly ObjectRef[]) => {
    const set = new ChildSet({ run, cluster: run, parent, recorded, parallel: PARALLEL })
    for (const { apiVersion, kind, ...body } of children)
      void set.settle(handleOf(set.make(apiVersion, kind, bodyOf(body, parent), {})))
    return { set, settled: await set.all() }
  }
  let recorded = readInventory((object as { status?: unknown }).status)
  let made = await settle(recorded)
  if (made.set.unrecorded) {
    recorded = [...recorded, ...made.set.claimed]
    await record(writeInventory(recorded))
    made = await settle(recorded)
  }
  const { set, settled } = made
  run.problems.push(...settled.filter((one) => one.object === undefined).map(shownProblem))
  const complete = run.problems.length === 0 && options.prune !== false
  const kept = complete ? await prune(run, parent, recorded, set.claimed, options.prune || {}) : recorded
  const inventory = writeInventory([...set.claimed, ...kept])
  return { inventory, children: settled, problems: run.problems, changed: run.changed }
}

/** Deletes the children that garbage collection does not delete with the parent. */
export async function removeForeignChildren(options: ChildrenParts): Promise<void> {
  const recorded = readInventory((options.parent as { status?: unknown }).status)
  await removeForeign(new DirectRun(options), parentOf(options.parent), recorded)
}

/** The part of a reconcile that the child set and the prune need; each read and write is a request. */
class DirectRun {
  readonly object: ApiObject
  readonly client: Client
  readonly signal: AbortSignal
  readonly problems: string[] = []
  readonly conditions: Conditions
  changed = false
  readonly #manager: string
  readonly #parts: OwnedParts
  readonly #known = new Map<string, ApiObject>()

  constructor({ client, signal, parent, fieldManager }: ChildrenParts) {
    this.object = parent
    this.client = client
    this.signal = signal
    this.#manager = fieldManager
    this.#parts = new OwnedParts(fieldManager)
    // A prune sets one condition, which says why it is blocked.
    const set = async (_: string, { message = '' }: { message?: string | undefined }) =>
      void this.problems.push(message)
    this.conditions = { get: () => undefined, set, remove() {} }
  }

  event(): void {}

  owned(object: ApiObject) {
    return this.#parts.main(object)
  }

  kind({ apiVersion, kind }: KindRef): Promise<ResourceInfo | undefined> {
    return this.client.discover(apiVersion, kind, this.signal)
  }

  async target<T extends ApiObject>(ref: ObjectRef): Promise<Target<T> | undefined> {
    if ((await this.kind(ref)) === undefined) return undefined
    const read = () => this.#read<T>(ref)
    const view = async () => {
      const found = await read()
      return () => found
    }
    return {
      ref,
      read,
      readForWrite: read,
      view,
      apply: (manifest, live) => this.#apply(ref, manifest, live),
      remove: (live) => this.#remove(ref, live),
    }
  }

  async #read<T extends ApiObject>(ref: ObjectRef): Promise<T | undefined> {
    const known = this.#known.get(refKey(ref))
    if (known !== undefined) return known as T
    const { client, signal } = this
    const found = await client.resourceOf<T>(ref.apiVersion, ref.kind).find(ref, { signal })
    return found && this.#keep(ref, found)
  }

  async #apply<T extends ApiObject>(ref: ObjectRef, manifest: Manifest, live: T | undefined): Promise<Applied<T>> {
    if (live && isAsWanted(manifest, this.owned(live), this.#parts.absent(live)))
      return { object: live, changed: false }
    const sent = sentForm(manifest) as unknown as Sent<T>
    const options = { fieldManager: this.#manager, force: true, signal: this.signal }
    const answer = await this.client.resourceOf<T>(ref.apiVersion, ref.kind).apply(sent, options)
    const changed = live?.metadata.resourceVersion !== answer.metadata.resourceVersion
    this.changed ||= changed
    return { object: this.#keep(ref, answer), changed }
  }

  async #remove(ref: ObjectRef, { metadata: { uid } }: ApiObject): Promise<boolean> {
    const { client, signal } = this
    this.#known.delete(refKey(ref))
    this.changed = true
    const access = client.resourceOf<ApiObject>(ref.apiVersion, ref.kind)
    await access.delete(ref, { signal, ...(uid !== undefined && { preconditions: { uid } }) })
    return (await this.#read(ref)) === undefined
  }

  #keep<T extends ApiObject>(ref: ObjectRef, object: T): T {
    const kept = this.#parts.keep(object) as T
    this.#known.set(refKey(ref), kept)
    return kept
  }
}

/** Strips server-set metadata: a caller may send back an object that it read. */
function bodyOf({ metadata, ...body }: Omit<ApiObject, 'apiVersion' | 'kind'>, parent: Parent) {
  const { name, namespace, labels, annotations, finalizers } = metadata ?? {}
  const others = metadata?.ownerReferences?.filter(({ uid }) => uid !== parent.uid) ?? []
  const ownerReferences = others.length > 0 ? others : undefined
  const given = { name, namespace, labels, annotations, finalizers, ownerReferences }
  const { status: _, ...rest } = body as { status?: unknown }
  return { ...rest, metadata: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
}

function shownProblem({ ref, readiness }: Settled): string {
  return `${shownRef(ref)}: ${readiness.message}`
}
