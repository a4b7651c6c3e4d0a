// Resources whose definition names a handler: kept true through Processes. The colony's server starts this.

import { Concluder } from './conclude.ts'
import { HandlerController } from './handler-controller.ts'
import type { HandlerParts, Handling } from './handling.ts'
import { ResourceChildren } from './resource-children.ts'

export function startHandlers(parts: HandlerParts): Handling {
  const children = new ResourceChildren(parts.client, parts.signal)
  const controller = new HandlerController(parts, children)
  const concluder = new Concluder({ ...parts, kinds: controller.kinds, children })
  return { conclude: (process, finished) => concluder.conclude(process, finished), done: controller.run() }
}
