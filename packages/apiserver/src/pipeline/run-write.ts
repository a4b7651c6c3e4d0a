// Runs the steps of a write: the one entry for HTTP requests, controllers inside the server and add-ons. Only the runner
// takes the key's lock, yields between the steps of large objects, and retries on stale state.

import { yieldToLoop } from '@homeostat/base'
import { alreadyExists, conflict, type StatusError } from '@homeostat/meta'
import { generateNameConflict } from '@homeostat/meta/server'
import type { AdmissionStep } from '../registry/admission-step.ts'
import type { Registry } from '../registry/registry.ts'
import { withManagedFields } from '../registry/versions.ts'
import type { WriteRequest } from '../registry/write-request.ts'
import { DecidedOnOld, decideOnNewest } from './decide-on-newest.ts'
import { type Step, Write, type Written } from './write.ts'

/** The steps of one verb, in order. */
export interface Pipeline<Input> {
  /** Runs once, on the request's input. */
  readonly first: readonly Step<Input>[]
  /** Chooses the next steps by the object that is stored now. */
  attempt(write: Write<Input>): Attempt<Input>
  /** The name may be generated, so the runner looks up no object and locks the key only to check that it is free and commit. */
  readonly namesLate?: boolean
  /** Copies an input that the steps change, so that the write can be decided again from its start. */
  copyInput?(input: Input): Input
  /** The write is a DELETE, which only the added steps see that say so. */
  readonly deletes?: boolean
}

export interface Attempt<Input> {
  /** Computes the new object from the stored one. Repeated when another write commits first. */
  readonly decide: readonly Step<Input>[]
  /** Runs under the key's lock while the stored object is still the one decided on, without yielding before the commit. */
  readonly store: readonly Step<Input>[]
}

/** How many generated names are tried before the create fails. */
const NAME_TRIES = 8
/** How many times a write is decided when other writes change the object while a step waits. */
const WAITING_TRIES = 5

export function runWrite<Input>(
  registry: Registry,
  pipeline: Pipeline<Input>,
  request: WriteRequest,
  input: Input,
): Promise<Written> {
  const { freshness, cache } = registry
  if (freshness === undefined) return decideOnCache(registry, pipeline, request, input, true)
  return decideOnNewest(
    freshness,
    () => cache.revision,
    (isNewest) => decideOnCache(registry, pipeline, request, pipeline.copyInput?.(input) ?? input, isNewest),
  )
}

function decideOnCache<Input>(
  registry: Registry,
  pipeline: Pipeline<Input>,
  request: WriteRequest,
  input: Input,
  isNewest: boolean,
): Promise<Written> {
  const added = addedSteps(registry.admission, request, pipeline.deletes ?? false)
  const write = new Write(registry, request, added, input, pipeline.deletes)
  return added.length === 0 ? carryOut(pipeline, write, isNewest) : audited(pipeline, write, isNewest)
}

const NONE: readonly AdmissionStep[] = []

/** The steps that may take part. Whether a write creates or updates is known only when it has looked. */
function addedSteps(all: readonly AdmissionStep[], request: WriteRequest, deletes: boolean): readonly AdmissionStep[] {
  if (all.length === 0) return NONE
  return all.filter((step) => takesPart(step, deletes) && (step.applies?.(request) ?? true))
}

function takesPart({ operations }: AdmissionStep, deletes: boolean): boolean {
  if (operations === undefined) return !deletes
  return operations.some((operation) => (operation === 'DELETE') === deletes)
}

async function audited<Input>(pipeline: Pipeline<Input>, write: Write<Input>, isNewest: boolean): Promise<Written> {
  let failure: unknown
  try {
    return await carryOut(pipeline, write, isNewest)
  } catch (error) {
    failure = error
    throw error
  } finally {
    // A write that is decided again has not ended.
    if (!(failure instanceof DecidedOnOld))
      for (const step of write.added) if (step.at === 'audit') step.run(write, failure)
  }
}

/** With `isNewest` it may end without storing anything. */
async function carryOut<Input>(pipeline: Pipeline<Input>, write: Write<Input>, isNewest: boolean): Promise<Written> {
  const { request } = write
  const tickets = request.dryRun || pipeline.deletes ? undefined : write.registry.tickets
  const waits = request.type.converter !== undefined || (write.added.length > 0 && write.added.some(maySnapshot))
  const holdsThroughout = !pipeline.namesLate && !waits
  if (!pipeline.namesLate) write.locate(request.name ?? '')
  try {
    const first = runSteps(write, pipeline.first, 0)
    if (first !== undefined) await first
    if (holdsThroughout) {
      const others = write.hold()
      if (others !== undefined) await others
    }
    for (;;) {
      if (tickets !== undefined) await write.takeTickets(tickets)
      write.beginAttempt(!pipeline.namesLate)
      // Earlier requests may have used up this turn of the event loop.
      if (write.isLarge) await yieldToLoop()
      const { decide, store } = pipeline.attempt(write)
      const deciding = runSteps(write, decide, 0)
      if (deciding !== undefined) await deciding
      if (!isNewest && (write.answer !== undefined || request.dryRun)) throw new DecidedOnOld()
      if (write.answer !== undefined) return write.answer
      write.isDecided = false
      if (!holdsThroughout && !request.dryRun) {
        const others = write.hold()
        if (others !== undefined) await others
      }
      if (holdsThroughout || write.isCurrent) {
        if (request.dryRun) return dryRunAnswer(write)
        if (write.fences !== undefined && tickets?.has(write.fences) === false) throw new DecidedOnOld()
        await storeDecided(write, store)
        if (write.answer !== undefined) return write.answer
      }
      write.settle(undefined)
      if (!holdsThroughout) write.release()
      decideAgain(write, { waits, isPost: pipeline.namesLate ?? false })
    }
  } finally {
    // Does nothing if the commit step has settled the write already.
    write.settle(undefined)
    write.release()
  }
}

function maySnapshot(step: AdmissionStep): boolean {
  return (step.at === 'mutate' || step.at === 'admit') && step.waits === true
}

/** Runs the steps synchronously until one waits or a large object yields; then returns a promise of the rest. */
function runSteps<Input>(write: Write<Input>, steps: readonly Step<Input>[], from: number): Promise<void> | undefined {
  for (let i = from; i < steps.length && !write.isDecided && write.answer === undefined; i++) {
    const waiting = (steps[i] as Step<Input>)(write)
    if (waiting instanceof Promise) return waiting.then(() => afterTurn(write, steps, i + 1))
    if (write.isLarge) return afterTurn(write, steps, i + 1)
  }
  return undefined
}

function afterTurn<Input>(write: Write<Input>, steps: readonly Step<Input>[], next: number): Promise<void> | undefined {
  return write.isLarge ? yieldToLoop().then(() => runSteps(write, steps, next)) : runSteps(write, steps, next)
}

/** Never yields: no other write may run between the last check of other objects and the commit. Only the commit waits. */
function storeDecided<Input>(write: Write<Input>, steps: readonly Step<Input>[]): Promise<void> | undefined {
  for (const step of steps) {
    const committing = step(write)
    if (committing instanceof Promise) return committing
  }
  return undefined
}

/** Another write committed first. Throws if this one must not be retried. */
function decideAgain(write: Write, { waits, isPost }: { waits: boolean; isPost: boolean }): void {
  if (write.overtaken === 'fenced') throw new DecidedOnOld()
  const { type, request } = write
  const resource = { group: type.group, resource: type.resource }
  if (write.generateName !== undefined) {
    if (write.attempt === NAME_TRIES) throw generateNameConflict(resource, write.object.metadata.name ?? '', 1)
    write.isRenamed = true
  } else if (isPost) throw existing(write)
  else if (waits && write.attempt === WAITING_TRIES) {
    const text = 'the object has been modified; please apply your changes to the latest version and try again'
    throw conflict(resource, request.name ?? '', text)
  }
  write.attempt++
}

function existing({ type, resource, object, place, registry }: Write): StatusError {
  const error = alreadyExists({ group: type.group, resource: type.resource }, object.metadata.name ?? '')
  const current = resource.tree.get(place)
  if (current?.damage === undefined && current && registry.parse(current).metadata.deletionTimestamp)
    error.status.message = `object is being deleted: ${error.status.message}`
  return error
}

function dryRunAnswer({ object, fieldsText, current, isGone }: Write): Written {
  const shown = fieldsText === undefined ? object : withManagedFields(object, fieldsText)
  return { object: shown, created: current === undefined, gone: isGone }
}
