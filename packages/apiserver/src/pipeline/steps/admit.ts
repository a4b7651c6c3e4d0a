// Runs the validating steps that extensions add, such as policies. They see the object as it will be stored.

import type { AdmissionStep, AdmittedWrite } from '../../registry/admission-step.ts'
import type { Write } from '../write.ts'

export function admit(write: Write): undefined | Promise<void> {
  return write.added.length === 0 ? undefined : runAdded(write, 'admit')
}

/** Runs the steps of one place that take this operation. */
export async function runAdded(write: Write, at: 'mutate' | 'admit'): Promise<void> {
  for (const step of write.added) {
    if (step.at === at && takes(step, write)) await step.run(write)
  }
}

/** Steps that take no DELETE are left out of one before; the default is both other operations. */
export function takes({ operations }: AdmissionStep, { operation }: Pick<AdmittedWrite, 'operation'>): boolean {
  return operations === undefined || operations.some((one) => one === operation)
}
