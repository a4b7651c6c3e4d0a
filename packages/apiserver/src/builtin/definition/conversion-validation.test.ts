import { describe, expect, it } from 'vitest'
import { conversionErrors } from './conversion-validation.ts'
import { sampleDefinition } from './sample-definition.ts'

const service = { name: 'webhook-service', namespace: 'capi-system', path: '/convert', port: 443 }
const reviews = { conversionReviewVersions: ['v1', 'v1beta1'] }
const good = { ...reviews, clientConfig: { service } }
const base64 = (text: string) => Buffer.from(text).toString('base64')

type Webhook = Parameters<typeof withWebhook>[0]

function withWebhook(webhook: { clientConfig?: object; conversionReviewVersions?: string[] } | undefined, more = {}) {
  return sampleDefinition({ conversion: { strategy: 'Webhook', ...(webhook && { webhook }) }, ...more })
}

function wrong(webhook: Webhook, old?: Webhook, established = true): string[] {
  const before = old && withWebhook(old)
  if (before && established) {
    before.status.conditions = [
      { type: 'Established', status: 'True', reason: '', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ]
  }
  return conversionErrors(withWebhook(webhook).spec, before).map(({ field, message }) => `${field}: ${message}`)
}

describe('a conversion webhook', () => {
  it.each([
    ['in the cluster', good],
    ['elsewhere', { ...reviews, clientConfig: { url: 'https://webhooks.example.com/convert' } }],
    ['whose certificate comes later', { ...reviews, clientConfig: { service, caBundle: base64('\n') } }],
  ])('is accepted %s', (_, webhook) => {
    expect(wrong(webhook)).toEqual([])
  })

  it.each<[string, Webhook, string[]]>([
    ['nothing', undefined, ['webhookClientConfig: Required', 'conversionReviewVersions: Required']],
    ['no place', { ...reviews, clientConfig: {} }, ['webhookClientConfig: Required value: exactly one']],
    ['two places', { ...reviews, clientConfig: { service, url: 'https://x' } }, ['webhookClientConfig: Required']],
    ['plain HTTP', { ...reviews, clientConfig: { url: 'http://x/y' } }, ['webhookClientConfig.url: Invalid']],
    [
      'a port that is none',
      { ...reviews, clientConfig: { service: { ...service, port: 0 } } },
      ['webhookClientConfig.service.port: Invalid'],
    ],
    [
      'unknown reviews',
      { ...good, conversionReviewVersions: ['v9', 'v9'] },
      ['conversionReviewVersions[1]: Invalid value: "v9": duplicate version', 'conversionReviewVersions: Invalid'],
    ],
  ])('is refused with %s', (_, webhook, expected) => {
    const found = wrong(webhook)
    expect(found).toHaveLength(expected.length)
    for (const [index, text] of expected.entries()) expect(found[index]).toContain(`spec.conversion.${text}`)
  })

  it('stays valid when it was accepted once: a placeholder for the certificate, and unknown review versions', () => {
    const unsure = { clientConfig: { service, caBundle: base64('later') }, conversionReviewVersions: ['v9'] }
    expect(wrong(unsure, unsure)).toEqual([])
    expect(wrong({ ...good, clientConfig: { service, caBundle: base64('later') } }, good, false)).toEqual([])
    expect(wrong({ ...good, clientConfig: { service, caBundle: base64('later') } }, good)).toEqual([
      expect.stringContaining('unable to parse bytes as PEM block'),
    ])
  })

  it('is refused where unknown fields are kept', () => {
    expect(conversionErrors(withWebhook(good, { preserveUnknownFields: true }).spec)).toMatchObject([
      { field: 'spec.conversion.strategy' },
    ])
  })
})
