// Reconciles resources whose definition names a handler, through Processes. The colony's server starts this.

import { OutcomeApplier } from './apply-outcome.ts'
import { CurrentStatus } from './current-status.ts'
import { HandlerController } from './handler-controller.ts'
import type { HandlerParts, Handlers } from './handling.ts'
import { ResourceChildren } from './resource-children.ts'

export function createHandlers(parts: HandlerParts): Handlers {
  const children = new ResourceChildren(parts)
  const controller = new HandlerController(parts, children)
  const applier = new OutcomeApplier({ ...parts, kinds: controller.kinds, children })
  const statuses = new CurrentStatus(parts.api, controller.kinds)
  return {
    applyOutcome: (process, outcome, user) => applier.apply(process, outcome, user),
    withCurrentStatus: (process) => statuses.inside(process),
    run: () => controller.run(),
  }
}
