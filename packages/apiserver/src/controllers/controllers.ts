// Starts the controllers in the order that a start needs: first definitions are served, then the bootstrap objects
// exist, then the given definitions. The background controllers begin when the server listens. What every server does by itself
// stands here; all else runs on the one server that has the duty.

import { networkInterfaces } from 'node:os'
import type { KubeObject } from '@homeostat/meta'
import type { Duties } from '../duties/duties.ts'
import type { Held } from '../identity/held.ts'
import type { Api } from '../registry/api.ts'
import type { WebhookCalls } from '../webhook/webhook-calls.ts'
import { advertise, isAdvertised, reachableHost } from './advertise.ts'
import type { BackgroundOptions, GarbageOptions } from './background-controllers.ts'
import { bootstrap } from './bootstrap.ts'
import { DefinitionController } from './definition-controller.ts'
import { ensureDefinitions } from './ensure-definitions.ts'
import { NamespaceController } from './namespace-controller.ts'
import { ServedDefinitions } from './served-definitions.ts'

export interface ControllersOptions extends BackgroundOptions, Pick<GarbageOptions, 'eventTtlMs'> {
  readonly duties: Duties
  /** The Api for the work of a duty. */
  apiOf(held: Held): Api
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
  const { duties, apiOf, webhooks } = options
  const newBundles = options.newBundles && { newBundles: options.newBundles }
  const served = new ServedDefinitions({ api, types, log, webhooks })
  await bootstrap({ api, log, caBundle, rolesLater, kindRoles })
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  if (signal.aborted) begin()
  else signal.addEventListener('abort', () => begin())
  const shared = (held: Held) => ({ api: apiOf(held), types, log, ...(clock === undefined ? {} : { clock }) })
  let advertiseLater = async () => {}
  const controllers = async (held: Held) => {
    const parts = shared(held)
    const background = async () => {
      await begun
      if (held.signal.aborted) return
      await advertiseLater()
      // 16 files that no request needs, 4 ms of CPU: loaded when the server listens.
      const { startBackgroundControllers } = await import('./background-controllers.ts')
      await startBackgroundControllers({ ...parts, caBundle, kindRoles, quotas, duties, ...newBundles }, held.signal)
    }
    await Promise.all([
      new DefinitionController({ ...parts, served }).start(held.signal),
      new NamespaceController(parts).start(held.signal),
      background(),
    ])
  }
  const garbage = async (held: Held) => {
    await begun
    if (held.signal.aborted) return
    const { startGarbageCollection } = await import('./background-controllers.ts')
    await startGarbageCollection({ ...shared(held), eventTtlMs }, held.signal)
  }
  const running = [duties.lead('controllers', controllers, signal), duties.lead('garbage', garbage, signal)]
  await ensureDefinitions(api, served, definitions, signal)
  return {
    async listening({ host, port }) {
      // Requests that waited for the server go first.
      setTimeout(begin, FIRST_ANSWERS_MS)
      // Of several servers the one with the duty advertises all.
      if (duties.isShared) return
      const address = reachableHost(host, networkInterfaces())
      const advertiseHere = () =>
        advertise(api, address === undefined ? [] : [{ host: address, port }], port).catch((error: unknown) => {
          log.error(
            { err: error, host, port },
            'the Service kubernetes could not be updated with the address of this server',
          )
        })
      // After the first start the advertised address seldom changes, so that it can wait.
      if (isAdvertised(api)) advertiseLater = advertiseHere
      else await advertiseHere()
    },
    stopped: Promise.all(running).then(() => served.close()),
  }
}
