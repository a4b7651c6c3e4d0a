// Starts the controllers that keep the API true, in the order a start needs: what is defined is served, the objects
// that every server has are there, and then the given definitions. The rest begins when the server listens.

import { networkInterfaces } from 'node:os'
import type { KubeObject } from '@homeostat/meta'
import { advertise, isAdvertised, reachableHost } from './advertise.ts'
import { type BackgroundOptions, startBackgroundControllers } from './background-controllers.ts'
import { bootstrap } from './bootstrap.ts'
import { DefinitionController } from './definition-controller.ts'
import { ensureDefinitions } from './ensure-definitions.ts'
import { NamespaceController } from './namespace-controller.ts'

export interface ControllersOptions extends BackgroundOptions {
  /** Definitions that shall exist before this resolves. */
  readonly definitions: readonly KubeObject[]
  readonly signal: AbortSignal
  /** The roles that every cluster has are made after the start and not before. */
  readonly rolesLater?: boolean | undefined
}

export interface Controllers {
  /** To be called when the server can be reached: says where, and begins what nobody has to wait for. */
  listening(address: { readonly host: string; readonly port: number }): Promise<void>
  /** Resolves when the signal has ended them and their last work is done. */
  readonly stopped: Promise<void>
}

/** Requests that came while the server started are answered before other work begins. */
const FIRST_ANSWERS_MS = 20

export async function startControllers(options: ControllersOptions): Promise<Controllers> {
  const { api, types, log, definitions, signal, clock, caBundle, eventTtlMs, rolesLater } = options
  const shared = { api, types, log, ...(clock === undefined ? {} : { clock }) }
  const definitionController = new DefinitionController(shared)
  definitionController.publishAll()
  const running = [definitionController.start(signal), new NamespaceController(shared).start(signal)]
  await bootstrap({ api, log, caBundle, rolesLater })
  await ensureDefinitions(api, definitions, signal)
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  let advertiseLater = async () => {}
  if (signal.aborted) begin()
  else signal.addEventListener('abort', () => begin())
  const background = begun.then(async () => {
    if (signal.aborted) return
    await advertiseLater()
    await startBackgroundControllers({ ...shared, caBundle, eventTtlMs }, signal)
  })
  return {
    async listening({ host, port }) {
      // Whoever waited for the server comes first.
      setTimeout(begin, FIRST_ANSWERS_MS)
      const advertiseHere = () =>
        advertise(api, { host: reachableHost(host, networkInterfaces()), port }).catch((error: unknown) => {
          log.error({ err: error, host, port }, 'the service kubernetes does not lead here')
        })
      // A start after the first one seldom has anything to change there.
      if (isAdvertised(api)) advertiseLater = advertiseHere
      else await advertiseHere()
    },
    stopped: Promise.all([...running, background]).then(() => undefined),
  }
}
