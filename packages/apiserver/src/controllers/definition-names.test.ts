import { describe, expect, it } from 'vitest'
import type { DefinitionNames } from '../builtin/definition/definition.ts'
import { decideNames, takenNames } from './definition-names.ts'

const none: DefinitionNames = { plural: '', kind: '' }
const wanted: DefinitionNames = {
  plural: 'apps',
  singular: 'app',
  kind: 'App',
  listKind: 'AppList',
  shortNames: ['ap'],
}

describe('the names of a definition', () => {
  it('are all accepted when they are free', () => {
    expect(decideNames({ ...wanted, categories: ['all'] }, none, takenNames([]))).toEqual({
      acceptedNames: { ...wanted, categories: ['all'] },
      condition: { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
    })
  })

  const rows: [DefinitionNames, string, string, Partial<DefinitionNames>][] = [
    [{ plural: 'apps', kind: 'X' }, 'PluralConflict', '"apps" is already in use', { plural: '' }],
    [{ plural: 'x', singular: 'app', kind: 'X' }, 'SingularConflict', '"app" is already in use', { plural: 'apps' }],
    [{ plural: 'x', shortNames: ['app'], kind: 'X' }, 'SingularConflict', '"app" is already in use', { kind: 'App' }],
    [
      { plural: 'x', shortNames: ['ap'], kind: 'X' },
      'ShortNamesConflict',
      '"ap" is already in use',
      { singular: 'app' },
    ],
    [{ plural: 'x', kind: 'App' }, 'KindConflict', '"App" is already in use', { kind: '', listKind: 'AppList' }],
    [{ plural: 'x', kind: 'X', listKind: 'App' }, 'KindConflict', '"App" is already in use', { plural: 'apps' }],
    [{ plural: 'x', kind: 'AppList' }, 'ListKindConflict', '"AppList" is already in use', { kind: 'App' }],
  ]
  it.each(rows)('next to %o meet %s', (other, reason, message, accepted) => {
    const decision = decideNames(wanted, none, takenNames([other]))
    expect(decision.condition).toEqual({ type: 'NamesAccepted', status: 'False', reason, message })
    expect(decision.acceptedNames).toMatchObject(accepted)
  })

  it('stay accepted even if another definition has them too', () => {
    expect(decideNames(wanted, wanted, takenNames([wanted])).condition.status).toBe('True')
  })

  it('that are refused do not displace those it had', () => {
    const taken = takenNames([{ plural: 'x', kind: 'X', shortNames: ['new'] }])
    const decision = decideNames({ ...wanted, shortNames: ['ap', 'new'] }, wanted, taken)
    expect(decision.acceptedNames).toEqual(wanted)
  })

  it('are given back when they are no longer wanted', () => {
    const { shortNames: _, ...fewer } = wanted
    expect(decideNames(fewer, wanted, takenNames([])).acceptedNames).toEqual(fewer)
  })
})
