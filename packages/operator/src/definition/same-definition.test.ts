import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type CustomResourceDefinition, definitionManifest } from './definition-manifest.ts'
import { sameDefinition, withManifest } from './same-definition.ts'

const manifest = definitionManifest({
  group: 'ex.io',
  version: 'v1',
  kind: 'Site',
  spec: z.object({ off: z.boolean().default(false), host: z.string().meta({ column: true }) }),
})

type Spec = CustomResourceDefinition['spec']
type Version = Spec['versions'][number]

const spec = (more: Partial<Spec>) => ({ ...manifest, spec: { ...manifest.spec, ...more } })
const versions = (change: (version: Version) => Version) => spec({ versions: manifest.spec.versions.map(change) })
const columns = (more: object) =>
  versions((version) => ({
    ...version,
    additionalPrinterColumns: version.additionalPrinterColumns?.map((column) => ({ ...column, ...more })) ?? [],
  }))

/** The definition as a server stores it: names filled in, a conversion, and no zeros. */
const found: CustomResourceDefinition = {
  ...spec({ conversion: { strategy: 'None' } }),
  metadata: { ...manifest.metadata, uid: 'u1', resourceVersion: '5', labels: { team: 'a' } },
}

describe('a definition is the same when only the server', () => {
  it.each<[string, CustomResourceDefinition]>([
    ['adds metadata and a conversion', manifest],
    ['leaves out what is false', versions((version) => ({ ...version, deprecated: false }))],
    ['leaves out empty lists', versions((version) => ({ ...version, selectableFields: [] }))],
    ['leaves out zeros', columns({ priority: 0 })],
    ['leaves out empty texts', columns({ description: '' })],
    ['fills in names', spec({ names: { plural: 'sites', kind: 'Site' } })],
  ])('%s', (_, wanted) => expect(sameDefinition(found, withManifest(found, wanted, 'homeostat-operator'))).toBe(true))
})

describe('a definition is another one with', () => {
  it.each<[string, CustomResourceDefinition]>([
    ['another column', columns({ name: 'Other' })],
    ['another priority', columns({ priority: 1 })],
    ['another conversion', spec({ conversion: { strategy: 'Webhook' } })],
    ['another name', spec({ names: { ...manifest.spec.names, shortNames: ['s'] } })],
    ['a version that is not served', versions((version) => ({ ...version, served: false }))],
    ['no status', versions((version) => ({ ...version, subresources: {} }))],
    ['another default', versions((version) => ({ ...version, schema: { openAPIV3Schema: { type: 'object' } } }))],
    ['a label', { ...manifest, metadata: { ...manifest.metadata, labels: { app: 'b' } } }],
  ])('%s', (_, wanted) => expect(sameDefinition(found, withManifest(found, wanted, 'homeostat-operator'))).toBe(false))
})

it('what the manifest does not speak of stays', () => {
  const sent = withManifest(
    found,
    { ...manifest, metadata: { name: 'sites.ex.io', labels: { app: 'b' } } },
    'homeostat-operator',
  )
  expect(sent.metadata).toEqual({ ...found.metadata, labels: { team: 'a', app: 'b' } })
  expect(sent.spec.conversion).toEqual({ strategy: 'None' })
})

it('authorities that convert behind the same Service stay, those of another one go', () => {
  const pem = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  const converted = (name: string, bundle: string) =>
    spec({
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { service: { namespace: 'shop', name }, caBundle: encoded(bundle) } },
      },
    })
  const sent = (before: CustomResourceDefinition, wanted: CustomResourceDefinition) =>
    withManifest(before, wanted, 'homeostat-operator')
  const both = converted('hooks', pem('A') + pem('B'))
  expect(sent(converted('hooks', pem('A')), converted('hooks', pem('B'))).spec).toEqual(both.spec)
  expect(sameDefinition(both, sent(both, converted('hooks', pem('A'))))).toBe(true)
  expect(sent(both, converted('other', pem('C'))).spec).toEqual(converted('other', pem('C')).spec)
})
