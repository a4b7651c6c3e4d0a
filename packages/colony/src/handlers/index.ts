// Reconciles resources whose definition names a handler, through Processes. The colony's server starts this.

import { Concluder } from './conclude.ts'
import { HandlerController } from './handler-controller.ts'
import type { HandlerParts, Handlers } from './handling.ts'
import { ResourceChildren } from './resource-children.ts'

export function createHandlers(parts: HandlerParts): Handlers {
  const children = new ResourceChildren(parts.client, parts.signal)
  const controller = new HandlerController(parts, children)
  const concluder = new Concluder({ ...parts, kinds: controller.kinds, children })
  return { conclude: (process, outcome) => concluder.conclude(process, outcome), run: () => controller.run() }
}
