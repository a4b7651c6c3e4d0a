import { describe, expect, it } from 'vitest'
import type { Definition } from '../builtin/definition/definition.ts'
import { sampleDefinition, sampleVersion } from '../builtin/definition/sample-definition.ts'
import { nextView } from './view-epoch.ts'

const first = nextView(undefined, sampleDefinition({}, { resourceVersion: '5' }))

describe('the epoch of a view', () => {
  it('starts at the revision of the definition', () => {
    expect(first.epoch).toBe(5)
  })

  const later = { resourceVersion: '9', generation: 2 }
  const rows: [string, Definition, number][] = [
    ['only status and labels change', sampleDefinition({}, { resourceVersion: '9', labels: { a: 'b' } }), 5],
    [
      'only names change',
      sampleDefinition({ names: { plural: 'apps', singular: 'x', kind: 'App', listKind: 'AppList' } }, later),
      5,
    ],
    [
      'a schema changes',
      sampleDefinition({ versions: [sampleVersion('v1', { schema: { openAPIV3Schema: { type: 'object' } } })] }, later),
      9,
    ],
    [
      'another version stores',
      sampleDefinition({ versions: [sampleVersion('v1', { storage: false }), sampleVersion('v2')] }, later),
      9,
    ],
    ['it is another definition of the same name', sampleDefinition({}, { resourceVersion: '9', uid: 'u2' }), 9],
  ]
  it.each(rows)('when %s', (_, definition, epoch) => {
    expect(nextView(first, definition).epoch).toBe(epoch)
  })

  it('does not come back when a schema does', () => {
    const changed = nextView(first, sampleDefinition({ versions: [sampleVersion('v2')] }, later))
    const back = nextView(changed, sampleDefinition({}, { resourceVersion: '12', generation: 3 }))
    expect(back.epoch).toBe(12)
  })
})
