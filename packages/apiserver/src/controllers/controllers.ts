// Starts the controllers that keep the API true, in the order a start needs: what is defined is served, the system
// namespaces are there, and then the given definitions.

import type { KubeObject } from '@homeostat/meta'
import type { Clock } from '@homeostat/queue'
import type { Api } from '../registry/api.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import { bootstrap } from './bootstrap.ts'
import type { ControllerLog } from './control-loop.ts'
import { DefinitionController } from './definition-controller.ts'
import { ensureDefinitions } from './ensure-definitions.ts'
import { NamespaceController } from './namespace-controller.ts'

export interface ControllersOptions {
  readonly api: Api
  readonly types: ResourceTypes
  readonly log: ControllerLog
  /** Definitions that shall exist before this resolves. */
  readonly definitions: readonly KubeObject[]
  readonly signal: AbortSignal
  /** Default: the system's. */
  readonly clock?: Clock
}

export interface Controllers {
  /** Resolves when the signal has ended them and their last work is done. */
  readonly stopped: Promise<void>
}

export async function startControllers(options: ControllersOptions): Promise<Controllers> {
  const { api, types, log, definitions, signal, clock } = options
  const shared = { api, types, log, ...(clock === undefined ? {} : { clock }) }
  const definitionController = new DefinitionController(shared)
  definitionController.publishAll()
  const running = [definitionController.start(signal), new NamespaceController(shared).start(signal)]
  await bootstrap(api)
  await ensureDefinitions(api, definitions, signal)
  return { stopped: Promise.all(running).then(() => undefined) }
}
