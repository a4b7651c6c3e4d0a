import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type CustomResourceDefinition, definitionManifest } from './definition-manifest.ts'
import { pluralOf } from './kind-names.ts'

const site = { group: 'ex.io', version: 'v1', kind: 'Site' }
const open = z.object({ replicas: z.int().default(1) })

function version(manifest: CustomResourceDefinition) {
  const [first] = manifest.spec.versions
  if (first === undefined) throw new Error('no version')
  return first
}

function parts(manifest: CustomResourceDefinition) {
  const root = version(manifest).schema?.openAPIV3Schema as {
    required?: string[]
    properties: Record<string, Record<string, unknown>>
  }
  return { root, spec: root.properties.spec, status: root.properties.status }
}

describe('the names of a kind', () => {
  it.each([
    ['Site', 'sites'],
    ['Policy', 'policies'],
    ['Gateway', 'gateways'],
    ['Ingress', 'ingresses'],
    ['Proxy', 'proxies'],
    ['Mesh', 'meshes'],
    ['Index', 'indexes'],
    ['Batch', 'batches'],
    ['MyResource', 'myresources'],
  ])('%s has the plural %s', (kind, plural) => expect(pluralOf(kind)).toBe(plural))

  it('follow from the kind', () => {
    const { metadata, spec } = definitionManifest({ ...site, spec: open })
    expect(metadata.name).toBe('sites.ex.io')
    expect(spec.names).toEqual({ plural: 'sites', singular: 'site', kind: 'Site', listKind: 'SiteList' })
    expect(spec.scope).toBe('Namespaced')
  })

  it('can be given', () => {
    const names = { plural: 'pages', shortNames: ['p'], categories: ['all'] }
    const { metadata, spec } = definitionManifest({ ...site, names, scope: 'Cluster', spec: open })
    expect(metadata.name).toBe('pages.ex.io')
    expect(spec.names).toMatchObject({ plural: 'pages', singular: 'site', shortNames: ['p'], categories: ['all'] })
    expect(spec.scope).toBe('Cluster')
  })
})

describe('the spec', () => {
  it('is required when something in it is', () => {
    const { root, spec } = parts(definitionManifest({ ...site, spec: z.object({ host: z.string() }) }))
    expect(root.required).toEqual(['spec'])
    expect(spec?.default).toBeUndefined()
  })

  it('can be left out when it fills itself in', () => {
    const { root, spec } = parts(definitionManifest({ ...site, spec: open }))
    expect(root.required).toBeUndefined()
    expect(spec?.default).toEqual({})
  })

  it('can be left out when all of it is optional', () => {
    const { root, spec } = parts(definitionManifest({ ...site, spec: z.object({ a: z.string().optional() }) }))
    expect(root.required).toBeUndefined()
    expect(spec?.default).toBeUndefined()
  })

  it('has to be an object', () => {
    expect(() => definitionManifest({ ...site, spec: z.string() })).toThrow('spec: has to be an object')
  })
})

describe('the status', () => {
  it('keeps what nobody described, with conditions as a map', () => {
    const { status } = parts(definitionManifest({ ...site, spec: open }))
    expect(status).toMatchObject({
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { observedGeneration: { type: 'integer' }, conditions: { 'x-kubernetes-list-map-keys': ['type'] } },
    })
  })

  it('requires nothing at its top, since conditions are written before the rest is known', () => {
    const status = z.object({ url: z.string(), last: z.object({ at: z.string() }) })
    const part = parts(definitionManifest({ ...site, spec: open, status })).status
    expect(part?.required).toBeUndefined()
    expect(part?.['x-kubernetes-preserve-unknown-fields']).toBeUndefined()
    expect(part?.properties).toMatchObject({ url: { type: 'string' }, last: { required: ['at'] }, conditions: {} })
  })
})

describe('columns, selectable fields and scale', () => {
  it('are what the schemas mark, then Ready and Age', () => {
    const spec = z.object({
      host: z.string().meta({ column: true, selectable: true }),
      replicas: z
        .int()
        .default(1)
        .meta({ scale: 'specReplicas', column: { name: 'Wanted', priority: 1 } }),
    })
    const status = z.object({
      readyReplicas: z.int().meta({ scale: 'statusReplicas', column: true }),
      selector: z.string().meta({ scale: 'selector' }),
    })
    const made = version(definitionManifest({ ...site, spec, status }))
    expect(made.additionalPrinterColumns).toEqual([
      { name: 'Host', type: 'string', jsonPath: '.spec.host' },
      { name: 'Wanted', type: 'integer', jsonPath: '.spec.replicas', priority: 1 },
      { name: 'Ready Replicas', type: 'integer', jsonPath: '.status.readyReplicas' },
      { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ])
    expect(made.selectableFields).toEqual([{ jsonPath: '.spec.host' }])
    expect(made.subresources).toEqual({
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.readyReplicas',
        labelSelectorPath: '.status.selector',
      },
    })
  })

  it('has no standard columns when asked for none', () => {
    const made = version(definitionManifest({ ...site, spec: open, standardColumns: false }))
    expect(made.additionalPrinterColumns).toBeUndefined()
  })

  it('refuses half a scale', () => {
    const spec = z.object({ replicas: z.int().default(1).meta({ scale: 'specReplicas' }) })
    expect(() => definitionManifest({ ...site, spec })).toThrow('status: mark the number that is there')
  })
})

it('marks the version deprecated when the whole spec is', () => {
  expect(version(definitionManifest({ ...site, spec: open.meta({ deprecated: true }) })).deprecated).toBe(true)
})

it('says what the kind is', () => {
  const { root } = parts(definitionManifest({ ...site, spec: open, description: 'A page on the web.' }))
  expect(root).toMatchObject({ description: 'A page on the web.' })
})
