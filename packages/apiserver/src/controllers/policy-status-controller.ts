// Writes into the status of each ValidatingAdmissionPolicy what is wrong with its expressions for the kinds that it names, once
// for each generation.

import { type Clock, ControlLoop, type Log, yieldBetween } from '@homeostat/base'
import { isStatusError, type KubeObject } from '@homeostat/meta'
import { kindText, paramKindOf } from '../admission/policies/params.ts'
import { type ExpressionWarning, expressionWarnings, kindsToCheck } from '../admission/policies/type-check.ts'
import { publishedComponent } from '../builtin/facts/published-schema.ts'
import { fieldsOf } from '../builtin/fields-of.ts'
import { kindType } from '../expressions/kind-type.ts'
import type { Api, ResourceName } from '../registry/api.ts'
import { loadCel } from '../registry/load-cel.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'

const POLICIES: ResourceName = { group: 'admissionregistration.k8s.io', resource: 'validatingadmissionpolicies' }
const MANAGER = 'validatingadmissionpolicy-status'

interface PolicyStatusOptions {
  readonly api: Api
  readonly types: ResourceTypes
  readonly log: Log
  readonly clock?: Clock
}

export class PolicyStatusController {
  readonly #api: Api
  readonly #types: ResourceTypes
  readonly #loop: ControlLoop

  constructor({ api, types, log, clock }: PolicyStatusOptions) {
    this.#api = api
    this.#types = types
    this.#loop = new ControlLoop({ name: 'policy-status', log, clock, workers: 1 })
  }

  /** Resolves when the signal has aborted and the last work is done. */
  async start(signal: AbortSignal): Promise<void> {
    const stop = this.#api.subscribe(POLICIES, ({ name, deleted }) => {
      if (!deleted) this.#loop.add(name)
    })
    await this.#loop.run((name) => this.#reconcile(name), signal)
    stop()
  }

  async #reconcile(name: string): Promise<void> {
    const policy = this.#api.get(POLICIES, { name })
    if (policy === undefined || isChecked(policy)) return
    const { spec, metadata } = policy
    const warnings = await this.#check(spec)
    const edit = (current: KubeObject) => {
      if (current.metadata.uid !== metadata.uid || current.metadata.generation !== metadata.generation) return
      current.status = statusOf(current, metadata.generation ?? 0, warnings)
    }
    try {
      await this.#api.change(POLICIES, { name }, edit, { subresource: 'status', manager: MANAGER })
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error
    }
  }

  async #check(spec: unknown): Promise<ExpressionWarning[]> {
    const served = this.#types.all()
    const kinds = kindsToCheck(spec, served).flatMap((served) => {
      const type = kindType(served.openapi, publishedComponent)
      return type === undefined ? [] : [{ text: kindText(served), type }]
    })
    const named = paramKindOf(fieldsOf(spec).paramKind)
    const params =
      named && served.find((type) => type.kind === named.kind && kindText(type) === kindText(named) && !type.review)
    const paramsType = params && kindType(params.openapi, publishedComponent)
    return yieldBetween(expressionWarnings(spec, kinds, paramsType, await loadCel()))
  }
}

function isChecked({ metadata, status }: KubeObject): boolean {
  return fieldsOf(status).observedGeneration === metadata.generation
}

function statusOf(
  { status }: KubeObject,
  generation: number,
  expressionWarnings: readonly ExpressionWarning[],
): object {
  const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings }
  return { ...fieldsOf(status), observedGeneration: generation, typeChecking }
}
