// Starts the controllers in the order that a start needs: first definitions are served, then the bootstrap objects
// exist, then the given definitions. The background controllers begin when the server listens.

import { networkInterfaces } from 'node:os'
import type { KubeObject } from '@homeostat/meta'
import type { WebhookCalls } from '../webhook/webhook-calls.ts'
import { advertise, isAdvertised, reachableHost } from './advertise.ts'
import type { BackgroundOptions } from './background-controllers.ts'
import { bootstrap } from './bootstrap.ts'
import { DefinitionController } from './definition-controller.ts'
import { ensureDefinitions } from './ensure-definitions.ts'
import { NamespaceController } from './namespace-controller.ts'

export interface ControllersOptions extends BackgroundOptions {
  /** Definitions that exist and are served when `startControllers` resolves. */
  readonly definitions: readonly KubeObject[]
  readonly signal: AbortSignal
  /** How conversion webhooks are called. */
  readonly webhooks?: WebhookCalls | undefined
  /** Creates the default roles in the background instead of before the start. */
  readonly rolesLater?: boolean | undefined
}

export interface Controllers {
  /** Call it when the server listens: it advertises the address and starts the background controllers. */
  listening(address: { readonly host: string; readonly port: number }): Promise<void>
  /** Resolves when the signal has aborted and the last work of all controllers is done. */
  readonly stopped: Promise<void>
}

/** How long background work waits, so that requests which arrived during the start are answered first. */
const FIRST_ANSWERS_MS = 20

export async function startControllers(options: ControllersOptions): Promise<Controllers> {
  const { api, types, log, definitions, signal, clock, caBundle, eventTtlMs, rolesLater, kindRoles, quotas } = options
  const newBundles = options.newBundles && { newBundles: options.newBundles }
  const shared = { api, types, log, ...(clock === undefined ? {} : { clock }) }
  const definitionController = new DefinitionController({ ...shared, webhooks: options.webhooks })
  definitionController.publishAll()
  const running = [definitionController.start(signal), new NamespaceController(shared).start(signal)]
  await bootstrap({ api, log, caBundle, rolesLater, kindRoles })
  await ensureDefinitions(api, definitions, signal)
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  let advertiseLater = async () => {}
  if (signal.aborted) begin()
  else signal.addEventListener('abort', () => begin())
  const background = begun.then(async () => {
    if (signal.aborted) return
    await advertiseLater()
    // 16 files that no request needs, 4 ms of CPU: loaded when the server listens.
    const { startBackgroundControllers } = await import('./background-controllers.ts')
    await startBackgroundControllers({ ...shared, caBundle, eventTtlMs, kindRoles, quotas, ...newBundles }, signal)
  })
  return {
    async listening({ host, port }) {
      // Requests that waited for the server go first.
      setTimeout(begin, FIRST_ANSWERS_MS)
      const advertiseHere = () =>
        advertise(api, { host: reachableHost(host, networkInterfaces()), port }).catch((error: unknown) => {
          log.error(
            { err: error, host, port },
            'the Service kubernetes could not be updated with the address of this server',
          )
        })
      // After the first start the advertised address seldom changes, so that it can wait.
      if (isAdvertised(api)) advertiseLater = advertiseHere
      else await advertiseHere()
    },
    stopped: Promise.all([...running, background]).then(() => undefined),
  }
}
