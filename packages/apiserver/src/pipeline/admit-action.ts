// Runs the added steps that take actions before a POST to one (pods/eviction) is carried out. The object that they see and may
// change is the body; nothing is stored here.

import type { KubeObject } from '@homeostat/meta'
import type { AdmissionStep, AdmittedWrite } from '../registry/admission-step.ts'
import type { WriteRequest } from '../registry/write-request.ts'
import { takes } from './steps/admit.ts'

/** The body to act on. Throws a StatusError when a step refuses it. */
export async function admitAction(
  steps: readonly AdmissionStep[],
  request: WriteRequest,
  body: KubeObject,
): Promise<KubeObject> {
  const write = new ActionWrite(request, body)
  const added = steps.filter((step) => step.actions && takes(step, write) && (step.applies?.(request) ?? true))
  const run = async (at: 'mutate' | 'admit') => {
    for (const step of added) if (step.at === at) await step.run(write)
  }
  let failure: unknown
  try {
    await run('mutate')
    if (write.isReinvoked) {
      write.round = 1
      await run('mutate')
    }
    await run('admit')
    return write.object
  } catch (error) {
    failure = error
    throw error
  } finally {
    for (const step of added) if (step.at === 'audit') step.run(write, failure)
  }
}

class ActionWrite implements AdmittedWrite {
  readonly operation = 'CREATE'
  readonly request: WriteRequest
  object: KubeObject
  readonly old = undefined
  readonly managedFields = undefined
  readonly generatesName = false
  readonly deleteOptions = undefined
  readonly annotations = new Map<string, string>()
  round = 0
  isReinvoked = false

  constructor(request: WriteRequest, body: KubeObject) {
    this.request = request
    this.object = body
  }

  reinvoke(): void {
    this.isReinvoked = true
  }

  annotate(key: string, value: string): void {
    this.annotations.set(key, value)
  }

  /** Nothing is stored, so that no attempt ends. */
  onEnd(): void {}
}
