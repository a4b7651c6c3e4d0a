// What the results of policies mean for a write: refused, warned, noted for the audit. Messages are those of Kubernetes.

import { forbidden, type JsonValue, type Status, type StatusError, writeJson } from '@homeostat/meta'
import type { AdmittedWrite } from '../../registry/admission-step.ts'
import type { ActiveBinding, ActivePolicy } from './active-policies.ts'
import type { Denial, PolicyResult } from './evaluate-policy.ts'

const FAILURES = 'validation.policy.admission.k8s.io/validation_failure'
const MAX_FAILURES = 50
const MAX_ANNOTATION = 10 * 1024

const CODES: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Invalid: 422,
}

interface Refusal {
  readonly policy: string
  readonly binding: string | undefined
  readonly message: string
  readonly reason: string
}

/** Collects the results of all policies for one write. */
export class PolicyDecision {
  readonly #write: AdmittedWrite
  #refusal: Refusal | undefined
  readonly #failures: object[] = []
  readonly #annotations = new Map<string, Set<string>>()

  constructor(write: AdmittedWrite) {
    this.#write = write
  }

  /** The policy or the binding cannot be used. */
  misconfigured(policy: ActivePolicy, binding: ActiveBinding | undefined, problem: string): void {
    if (policy.ignoresFailures) return
    const message = `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${problem}`
    this.#refuse({ policy: policy.name, binding: binding?.name, message, reason: 'Invalid' })
  }

  add(policy: ActivePolicy, binding: ActiveBinding, { denials, annotations }: PolicyResult): void {
    for (const denial of denials) {
      if (denial.always) this.#refuse({ policy: policy.name, binding: binding.name, ...denial })
      else for (const action of binding.actions) this.#act(action, policy, binding, denial)
    }
    for (const { key, value } of annotations) {
      const name = `${policy.name}/${key}`
      const values = this.#annotations.get(name) ?? new Set()
      this.#annotations.set(name, values.add(value.slice(0, MAX_ANNOTATION)))
    }
  }

  /** Notes what is for the audit, and throws if a policy refuses the write. */
  finish(): void {
    for (const [key, values] of this.#annotations) this.#write.annotate(key, [...values].join(', '))
    if (this.#failures.length > 0) this.#write.annotate(FAILURES, writeJson(this.#failures as unknown as JsonValue))
    if (this.#refusal !== undefined) throw refusalError(this.#write, this.#refusal)
  }

  #act(action: string, { name: policy }: ActivePolicy, binding: ActiveBinding, denial: Denial): void {
    const { message, index: expressionIndex } = denial
    const { name, actions: validationActions } = binding
    if (action === 'Deny') this.#refuse({ policy, binding: name, ...denial })
    else if (action === 'Warn')
      this.#write.request.warn(
        `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${name}': ${message}`,
      )
    else if (action === 'Audit' && this.#failures.length < MAX_FAILURES)
      this.#failures.push({ message, policy, binding: name, expressionIndex, validationActions })
  }

  /** The first is told. */
  #refuse(refusal: Refusal): void {
    this.#refusal ??= refusal
  }
}

function refusalError(write: AdmittedWrite, { policy, binding, message, reason }: Refusal): StatusError {
  const { request, object } = write
  const through = binding === undefined ? '' : ` with binding '${binding}'`
  const text = `ValidatingAdmissionPolicy '${policy}'${through} denied request: ${message}`
  const { group, resource } = request.type
  const error = forbidden({ group, resource, name: object.metadata.name ?? '' }, text)
  const causes = [{ message: text }] as NonNullable<Status['details']>['causes']
  Object.assign(error.status, { reason, code: CODES[reason] ?? 422, details: { ...error.status.details, causes } })
  return error
}
