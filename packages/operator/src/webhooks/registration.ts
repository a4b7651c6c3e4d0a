// The configurations by which the API server knows the webhooks of an operator: made of what its kinds have, written at the
// start, removed at the end. With replicas behind one Service each adds its authority, and the last one removes them.

import type { ApiObject, Client } from '@homeostat/client'
import { deepEqual, isStatusError, parseGroupVersion } from '@homeostat/meta'
import { bundleWithout, decodedBundle, encodedBundle, joinedBundle } from '../runtime/ca-bundle.ts'
import type { Controlled } from '../runtime/controlled.ts'

/** How the API server reaches a webhook: `url` or `service`, and the authority of its certificate. */
export type WebhookClientConfig = (path: string) => {
  readonly url?: string
  readonly service?: object
  readonly caBundle?: string
}

const API = 'admissionregistration.k8s.io/v1'
export const CONFIGURATIONS = {
  validate: 'ValidatingWebhookConfiguration',
  mutate: 'MutatingWebhookConfiguration',
} as const
type Purpose = keyof typeof CONFIGURATIONS

export interface WebhookConfiguration extends ApiObject {
  webhooks?: { readonly clientConfig: { readonly caBundle?: string }; readonly [field: string]: unknown }[]
}

export interface Registered {
  /** Of both configurations. */
  readonly name: string
  readonly controlled: readonly Controlled[]
  readonly config: WebhookClientConfig
  readonly failurePolicy: 'Fail' | 'Ignore'
}

export function configurations(registered: Registered): WebhookConfiguration[] {
  return (Object.keys(CONFIGURATIONS) as Purpose[]).flatMap((purpose) => {
    const webhooks = registered.controlled.flatMap((one) => webhookOf(one, purpose, registered))
    if (webhooks.length === 0) return []
    return [{ apiVersion: API, kind: CONFIGURATIONS[purpose], metadata: { name: registered.name }, webhooks }]
  })
}

function webhookOf(
  { apiVersion, definition, webhooks }: Controlled,
  purpose: Purpose,
  { config, failurePolicy }: Registered,
) {
  const name = definition?.metadata.name
  if (name === undefined || webhooks?.[purpose] === undefined) return []
  const { group = '', version = '' } = parseGroupVersion(apiVersion) ?? {}
  const rule = {
    operations: ['CREATE', 'UPDATE'],
    apiGroups: [group],
    apiVersions: [version],
    resources: [name.slice(0, name.indexOf('.'))],
    scope: '*',
  }
  return [
    {
      name: `${purpose}.${name}`,
      clientConfig: config(`/${purpose}/${name}`),
      rules: [rule],
      failurePolicy,
      matchPolicy: 'Equivalent',
      sideEffects: 'None',
      timeoutSeconds: 10,
      admissionReviewVersions: ['v1'],
    },
  ]
}

/** The definition with its kind's conversion, if it has one. */
export function withConversion(definition: ApiObject, config: WebhookClientConfig): ApiObject {
  const clientConfig = config(`/convert/${definition.metadata.name}`)
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } }
  const { spec } = definition as ApiObject & { readonly spec: object }
  return { ...definition, spec: { ...spec, conversion } } as ApiObject
}

/** Writes a configuration. `shares`: authorities of others that are in it stay, since replicas use it too. */
export async function register(client: Client, wanted: WebhookConfiguration, shares: boolean): Promise<void> {
  await changed(client, wanted, (found) => {
    const others = shares ? bundleOf(found) : ''
    const webhooks = (wanted.webhooks ?? []).map((hook) =>
      withBundle(hook, joinedBundle(others, decodedBundle(hook.clientConfig.caBundle))),
    )
    return { ...(found ?? wanted), webhooks }
  })
}

/** Removes a configuration, or only this program's authority while others use it. */
export async function unregister(client: Client, wanted: WebhookConfiguration, shares: boolean): Promise<void> {
  const kinds = client.resourceOf<WebhookConfiguration>(wanted.apiVersion, wanted.kind)
  const { name = '' } = wanted.metadata
  const own = bundleOf(wanted)
  await changed(client, wanted, (found) => {
    const rest = shares ? bundleWithout(bundleOf(found), own) : ''
    if (found === undefined || rest === '') return undefined
    return { ...found, webhooks: (found.webhooks ?? []).map((hook) => withBundle(hook, rest)) }
  }).then(async (isGone) => {
    if (!isGone) return
    await kinds.delete({ name }).catch((error: unknown) => {
      if (!isStatusError(error, 'NotFound')) throw error
    })
  })
}

/** Replicas write at the same time. */
const TRIES = 10

/** True when there is nothing to write: the configuration is to go. */
async function changed(
  client: Client,
  { apiVersion, kind, metadata: { name = '' } }: WebhookConfiguration,
  change: (found: WebhookConfiguration | undefined) => WebhookConfiguration | undefined,
): Promise<boolean> {
  const kinds = client.resourceOf<WebhookConfiguration>(apiVersion, kind)
  for (let left = TRIES; ; left--) {
    const found = await kinds.find({ name })
    const next = change(found)
    if (next === undefined) return true
    try {
      if (found === undefined) await kinds.create(next)
      else if (!deepEqual(found.webhooks, next.webhooks)) await kinds.update(next)
      return false
    } catch (error) {
      if (left === 0 || !(isStatusError(error, 'Conflict') || isStatusError(error, 'AlreadyExists'))) throw error
    }
  }
}

type Hook = NonNullable<WebhookConfiguration['webhooks']>[number]

function withBundle(hook: Hook, bundle: string): Hook {
  if (bundle === '') return hook
  return { ...hook, clientConfig: { ...hook.clientConfig, caBundle: encodedBundle(bundle) } }
}

/** PEM. */
function bundleOf(configuration: WebhookConfiguration | undefined): string {
  return decodedBundle(configuration?.webhooks?.[0]?.clientConfig.caBundle)
}
