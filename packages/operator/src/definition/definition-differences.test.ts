import { expect, it } from 'vitest'
import { z } from 'zod'
import { definitionDifferences } from './definition-differences.ts'
import { definitionManifest } from './definition-manifest.ts'

const kind = { group: 'ex.io', version: 'v1', kind: 'Site', scope: 'Namespaced' as const }
const old = definitionManifest({ ...kind, spec: z.object({ host: z.string(), port: z.int().default(80) }) })

it('names what comes, goes and changes, by paths without the levels of a schema', () => {
  const now = definitionManifest({
    ...kind,
    names: { shortNames: ['st'] },
    spec: z.object({ port: z.int().default(8080), image: z.string().optional() }),
  })
  const annotated = { ...now, metadata: { ...now.metadata, annotations: { a: 'b' } } }
  expect(definitionDifferences(old, annotated).toSorted()).toEqual([
    'annotations.a is new',
    'names.shortNames is new',
    'versions.v1.required goes',
    'versions.v1.spec.default is new',
    'versions.v1.spec.host goes',
    'versions.v1.spec.image is new',
    'versions.v1.spec.port.default is 8080 and was 80',
    'versions.v1.spec.required goes',
  ])
  expect(definitionDifferences(old, old)).toEqual([])
})

it('says how many there are beyond the first twenty', () => {
  const fields = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`field${i}`, z.string().optional()]))
  const now = definitionManifest({
    ...kind,
    spec: z.object({ host: z.string(), port: z.int().default(80), ...fields }),
  })
  expect(definitionDifferences(old, now).at(-1)).toBe('and 10 more')
})
