// Starts the webhooks of a run: serves them, registers them once the definitions are installed, and removes them at the end.
// `run` calls it for operators that have any.

import { type Clock, type Log, messageOf } from '@homeostat/base'
import type { ApiObject, Client } from '@homeostat/client'
import { readJson, writeJson } from '@homeostat/meta'
import { configurationName } from '../runtime/configuration-name.ts'
import type { Controlled } from '../runtime/controlled.ts'
import { answerReview, type ServedKinds } from './answer-review.ts'
import { configurations, register, unregister, type WebhookClientConfig, withConversion } from './registration.ts'
import { listeningBehindService, type WebhookOptions, type WebhookService } from './webhook-options.ts'
import { serveWebhooks } from './webhook-server.ts'

export interface Webhooks {
  /** The kinds, with conversions in their definitions. */
  readonly controlled: readonly Controlled[]
  /** Writes the configurations, after the definitions are installed. */
  register(): Promise<void>
  /** Removes the configurations and ends the server. */
  close(): Promise<void>
}

export interface WebhookSettings {
  readonly client: Client
  readonly fieldManager: string
  readonly clock: Clock
  readonly log: Log
}

export async function startWebhooks(
  controlled: readonly Controlled[],
  options: WebhookOptions,
  settings: WebhookSettings,
): Promise<Webhooks> {
  const { client, log } = settings
  const kinds: ServedKinds = new Map(
    controlled.flatMap(({ definition, webhooks }) =>
      webhooks && definition?.metadata.name ? [[definition.metadata.name, webhooks] as const] : [],
    ),
  )
  const service = options.service ?? serviceFrom(process.env.HOMEOSTAT_OPERATOR_SERVICE)
  const shares = service !== undefined
  const served = await serve(kinds, options, service, settings)
  const wanted = configurations({
    name: configurationName(settings.fieldManager),
    controlled,
    config: served.config,
    failurePolicy: options.failurePolicy ?? 'Fail',
  })
  return {
    controlled: controlled.map((one) => converting(one, served.config)),
    async register() {
      for (const one of wanted) await register(client, one, shares)
      log.info({ kinds: [...kinds.keys()], at: served.at }, 'webhooks are registered')
    },
    async close() {
      for (const one of wanted) {
        await unregister(client, one, shares).catch((error: unknown) => {
          const text = 'a webhook configuration could not be removed; until it is, writes of its kinds fail'
          log.error({ kind: one.kind, name: one.metadata.name, error: messageOf(error) }, text)
        })
      }
      await served.close()
    },
  }
}

interface Served {
  readonly at: string
  readonly config: WebhookClientConfig
  close(): Promise<void> | void
}

async function serve(
  kinds: ServedKinds,
  { here, host = '127.0.0.1', port, reachableAt = host }: WebhookOptions,
  service: WebhookService | undefined,
  { clock, log }: WebhookSettings,
): Promise<Served> {
  if (here !== undefined) {
    const { url, close } = here(async (path, body) => {
      const answer = await answerReview(kinds, path, readJson(body).value)
      if (answer === undefined) throw new Error('there is no such webhook')
      return writeJson(answer)
    })
    return { at: url, close, config: (path) => ({ url: url + path }) }
  }
  const answer = (path: string, review: unknown) => answerReview(kinds, path, review)
  if (service !== undefined) {
    const { name, namespace, port: at = 443 } = service
    const listening = listeningBehindService({ host, ...(port !== undefined && { port }) })
    const names = [`${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`]
    const server = await serveWebhooks({ ...listening, names, clock, log, answer })
    const caBundle = Buffer.from(server.authority).toString('base64')
    const config: WebhookClientConfig = (path) => ({ service: { name, namespace, path, port: at }, caBundle })
    return { at: `${namespace}/${name}`, config, close: () => server.close() }
  }
  const server = await serveWebhooks({ host, port: port ?? 0, names: [reachableAt], clock, log, answer })
  const caBundle = Buffer.from(server.authority).toString('base64')
  const url = `https://${reachableAt.includes(':') ? `[${reachableAt}]` : reachableAt}:${server.port}`
  return { at: url, config: (path) => ({ url: url + path, caBundle }), close: () => server.close() }
}

function converting(one: Controlled, config: WebhookClientConfig): Controlled {
  const { definition, webhooks } = one
  if (definition === undefined || webhooks?.convert === undefined) return one
  return { ...one, definition: withConversion(definition, config) as ApiObject }
}

function serviceFrom(text: string | undefined): WebhookService | undefined {
  if (text === undefined || text === '') return undefined
  const [namespace, name, ...rest] = text.split('/')
  if (namespace && name && rest.length === 0) return { namespace, name }
  throw new Error(`HOMEOSTAT_OPERATOR_SERVICE is "${text}", and must be namespace/name`)
}
