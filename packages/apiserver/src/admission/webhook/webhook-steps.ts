// The steps of admission webhooks in the write pipeline: mutating ones one after the other, in the order of their
// configurations' names; validating ones all at once, on what will be stored.

import { deepEqual, internalError, type KubeObject, writeJson } from '@homeostat/meta'
import type { AdmissionStep, AdmittedWrite } from '../../registry/admission-step.ts'
import type { ResourceType } from '../../registry/resource-type.ts'
import type { WriteRequest } from '../../registry/write-request.ts'
import type { CachedObjects } from '../cached-objects.ts'
import { isOwnStep, MatchedWrite } from '../matching/matched-write.ts'
import type { BindingSources } from '../policies/policy-bindings.ts'
import type { Configurations } from './configurations.ts'
import type { Hook } from './hook.ts'
import type { HookCaller, Question } from './hook-caller.ts'
import { conditionsHold } from './match-conditions.ts'
import { completeObject, mutated, seenAs, withoutServerFields } from './seen-object.ts'

export interface WebhookParts {
  readonly cached: CachedObjects
  readonly mutating: Configurations
  readonly validating: Configurations
  readonly caller: HookCaller
  /** What match conditions read beside the write. */
  readonly sources: BindingSources
  /** False while the server writes its own first objects. */
  isOpen(): boolean
}

export function webhookSteps(parts: WebhookParts): AdmissionStep[] {
  const { mutating, validating, isOpen } = parts
  const applies = (configurations: Configurations) => (request: WriteRequest) =>
    configurations.concerns(request) && isOpen() && !isOwnStep(request)
  const operations = ['CREATE', 'UPDATE', 'DELETE'] as const
  const rounds = new WeakMap<AdmittedWrite, Round>()
  return [
    {
      name: 'mutating webhooks',
      at: 'mutate',
      waits: true,
      operations,
      actions: true,
      applies: applies(mutating),
      run: (write) => mutateAll(write, parts, rounds),
    },
    {
      name: 'validating webhooks',
      at: 'admit',
      waits: true,
      operations,
      actions: true,
      applies: applies(validating),
      run: (write) => validateAll(write, parts),
    },
  ]
}

/** What the first round of mutating webhooks leaves for the second. */
interface Round {
  /** Those that were called and want to be called again when others change the object after them. */
  readonly called: Set<Hook>
  readonly again: Set<Hook>
  output: KubeObject
}

async function mutateAll(
  write: AdmittedWrite,
  { cached, mutating, caller, sources }: WebhookParts,
  rounds: WeakMap<AdmittedWrite, Round>,
) {
  if (write.round === 0) rounds.set(write, { called: new Set(), again: new Set(), output: write.object })
  const round = rounds.get(write) as Round
  const recall = () => {
    for (const hook of round.called) round.again.add(hook)
    round.called.clear()
  }
  // The server's own mutating steps have changed the object since.
  if (write.round > 0 && !deepEqual(write.object, round.output)) recall()
  for (const hook of mutating.hooks) {
    if (write.round > 0 && !round.again.has(hook)) continue
    const matched = new MatchedWrite(write, cached)
    const type = hook.matcher.match(matched)
    if (type === undefined || !(await conditionsHold(hook, write, matched, type, sources))) continue
    if (await mutate(write, hook, type, caller)) {
      recall()
      write.reinvoke()
    }
    if (hook.isReinvoked) round.called.add(hook)
  }
  round.output = write.object
}

/** Whether the webhook changed the object. */
async function mutate(write: AdmittedWrite, hook: Hook, type: ResourceType, caller: HookCaller): Promise<boolean> {
  const { request, operation } = write
  const shown = completeObject(write)
  const whole = operation === 'CREATE' ? withoutServerFields(shown, write.generatesName) : shown
  const seen = await seenAs(whole, request.type, type, request.subresource)
  const name = write.generatesName ? '' : nameOf(write)
  const verdict = await caller.ask(hook, await question(write, type, name, seen), write, true)
  if (verdict?.patch === undefined) return false
  if (operation === 'DELETE') throw noPatch(hook)
  const next = await mutated(write, { hook, patch: verdict.patch, seen: seen as KubeObject, type })
  if (deepEqual(next, write.object)) return false
  write.object = next
  return true
}

function noPatch({ name }: Hook) {
  return internalError(
    `admission webhook ${writeJson(name)} attempted to modify the object, which is not supported for this operation`,
  )
}

async function validateAll(write: AdmittedWrite, { cached, validating, caller, sources }: WebhookParts): Promise<void> {
  const { request } = write
  const matched = new MatchedWrite(write, cached)
  const asked: Promise<unknown>[] = []
  const shown = completeObject(write)
  for (const hook of validating.hooks) {
    const type = hook.matcher.match(matched)
    if (type === undefined) continue
    const ask = async () => {
      if (!(await conditionsHold(hook, write, matched, type, sources))) return undefined
      const seen = await seenAs(shown, request.type, type, request.subresource)
      return caller.ask(hook, await question(write, type, nameOf(write), seen), write, false)
    }
    asked.push(ask())
  }
  const ends = await Promise.allSettled(asked)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

function nameOf({ request, object }: AdmittedWrite): string {
  return request.name ?? object.metadata.name ?? ''
}

async function question(write: AdmittedWrite, type: ResourceType, name: string, seen: object): Promise<Question> {
  const { operation, request, old, deleteOptions } = write
  const before = old && (await seenAs(old, request.type, type, request.subresource))
  return {
    operation,
    request,
    type,
    name,
    object: operation === 'DELETE' ? undefined : seen,
    old: before,
    deleteOptions,
  }
}
