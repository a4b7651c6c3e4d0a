// Validates the conversion of a definition.

import { X509Certificate } from 'node:crypto'
import { type Cause, forbiddenField, invalidValue, notSupported, required } from '@homeostat/meta/server'
import { hasKnownReviewVersion, reviewVersionErrors, webhookClientErrors } from '../rules/webhook-client.ts'
import { conditionTrue, type Definition, type DefinitionSpec } from './definition.ts'

/** Kubernetes' internal names of these fields, which its messages show. */
const CLIENT = 'spec.conversion.webhookClientConfig'
const REVIEWS = 'spec.conversion.conversionReviewVersions'

export function conversionErrors(spec: DefinitionSpec, old?: Definition): Cause[] {
  const { conversion, preserveUnknownFields } = spec
  if (conversion === undefined) return []
  const { strategy } = conversion
  if (strategy === 'None' || preserveUnknownFields !== true) return ownErrors(conversion, old)
  const rule = 'must be None if spec.preserveUnknownFields is true'
  return [invalidValue('spec.conversion.strategy', strategy, rule), ...ownErrors(conversion, old)]
}

type Conversion = NonNullable<DefinitionSpec['conversion']>

function ownErrors({ strategy, webhook }: Conversion, old: Definition | undefined): Cause[] {
  if (strategy === 'Webhook') return webhookErrors(webhook ?? {}, old)
  const unused =
    webhook === undefined
      ? []
      : [CLIENT, REVIEWS].map((field) => forbiddenField(field, 'should not be set when strategy is not set to Webhook'))
  if (strategy === 'None') return unused
  const wrong =
    strategy === ''
      ? required('spec.conversion.strategy', '')
      : notSupported('spec.conversion.strategy', strategy, ['None', 'Webhook'])
  return [wrong, ...unused]
}

function webhookErrors(webhook: NonNullable<Conversion['webhook']>, old: Definition | undefined): Cause[] {
  const { clientConfig, conversionReviewVersions = [] } = webhook
  const client =
    clientConfig === undefined
      ? [required(CLIENT, 'required when strategy is set to Webhook')]
      : [...webhookClientErrors(clientConfig, CLIENT), ...authorityErrors(clientConfig.caBundle, old)]
  const before = old?.spec.conversion?.webhook?.conversionReviewVersions ?? []
  // An update may keep a list without known versions if the old object has such a list.
  const mayBeUnknown = before.length > 0 && !hasKnownReviewVersion(before)
  return [...client, ...reviewVersionErrors(conversionReviewVersions, REVIEWS, { missing: '', mayBeUnknown })]
}

/** A placeholder is allowed until the webhook gets its certificate, but it must not replace a valid bundle. */
function authorityErrors(bundle: string | undefined, old: Definition | undefined): Cause[] {
  if (!bundle || old === undefined || !conditionTrue(old, 'Established')) return []
  const before = old.spec.conversion?.webhook?.clientConfig?.caBundle
  if (before && bundleError(before) !== undefined) return []
  const error = bundleError(bundle)
  return error === undefined ? [] : [invalidValue(`${CLIENT}.caBundle`, bundle, error)]
}

/** Whether clients of the definition could be converted for: an invalid bundle is one that no connection trusts. */
export function hasInvalidBundle({ spec: { conversion } }: Definition): boolean {
  const bundle = conversion?.webhook?.clientConfig?.caBundle
  return Boolean(bundle) && bundleError(bundle as string) !== undefined
}

/** Undefined when the bundle holds at least one valid certificate. */
function bundleError(bundle: string): string | undefined {
  const blocks = Buffer.from(bundle, 'base64')
    .toString('latin1')
    .match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g)
  if (blocks === null) return 'unable to load root certificates: unable to parse bytes as PEM block'
  return blocks.some(isCertificate) ? undefined : 'unable to load root certificates: failed to parse certificate'
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).raw.length > 0
  } catch {
    return false
  }
}
