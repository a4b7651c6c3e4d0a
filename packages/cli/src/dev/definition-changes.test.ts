import { definitionManifest } from '@homeostat/operator'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { definitionChanges } from './definition-changes.ts'

const kind = { group: 'ex.io', version: 'v1', kind: 'Site' }
const old = definitionManifest({
  ...kind,
  spec: z.object({ host: z.string(), port: z.int().min(1).default(80), tags: z.array(z.string()).optional() }),
})

function linesTo(now: Parameters<typeof definitionManifest>[0]): string[] {
  return definitionChanges(old, definitionManifest(now)).map(({ sign, text }) => `${sign} ${text}`)
}

it('says of each field what comes, what goes and what changes', () => {
  const spec = z.object({
    port: z.int().min(1).default(8080),
    tags: z.array(z.string()).optional(),
    mode: z.enum(['fast', 'safe']).optional(),
    limits: z.object({ cpu: z.number() }),
  })
  expect(linesTo({ ...kind, spec })).toEqual([
    '~ spec.port  default 80 -> default 8080',
    '+ spec.mode  "fast" | "safe", optional',
    '+ spec.limits  object, required',
    '+ spec.limits.cpu  number, required',
    '- spec.host  string, required',
  ])
})

it('finds changes inside lists and maps, and of whether a field is needed', () => {
  const spec = z.object({
    host: z.string().optional(),
    port: z.int().min(1).default(80),
    tags: z.array(z.string().max(5)).optional(),
    labels: z.record(z.string(), z.string()).optional(),
  })
  expect(linesTo({ ...kind, spec })).toEqual([
    '~ spec  required -> default {}',
    '~ spec.host  required -> optional',
    '~ spec.tags[]  now maxLength 5',
    '+ spec.labels  object, optional',
    '+ spec.labels.*  string',
  ])
})

it('names other parts of the definition one by one', () => {
  const spec = z.object({ host: z.string(), port: z.int().min(1).default(80), tags: z.array(z.string()).optional() })
  expect(linesTo({ ...kind, names: { shortNames: ['st'] }, spec, standardColumns: false })).toEqual([
    '+ names.shortNames "st"',
    '- additionalPrinterColumns Ready',
    '- additionalPrinterColumns Age',
  ])
  expect(linesTo({ ...kind, spec })).toEqual([])
})
