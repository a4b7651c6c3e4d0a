import fc from 'fast-check'
import { expect, it } from 'vitest'
import { archiveName, parseArchiveName } from './archive-key.ts'

const versions = fc.record({
  key: fc.string({ unit: 'binary' }),
  revision: fc.nat(Number.MAX_SAFE_INTEGER),
  isDeletion: fc.boolean(),
  isMinor: fc.boolean(),
  time: fc.nat(Number.MAX_SAFE_INTEGER),
  size: fc.nat(0xffffffff),
})

it('an archived version is found again by its name, whatever its key contains', () => {
  fc.assert(
    fc.property(versions, (version) => {
      expect(parseArchiveName(archiveName(version))).toEqual(version)
    }),
  )
  const nested = { key: 'a\0b', revision: 1, isDeletion: false, isMinor: false, time: 0, size: 3 }
  expect(parseArchiveName(archiveName({ ...nested, key: archiveName(nested) }))?.key).toBe(archiveName(nested))
})

it('versions of a key are in the order of their revisions', () => {
  fc.assert(
    fc.property(versions, versions, (a, b) => {
      const [first, second] = [archiveName(a), archiveName({ ...b, key: a.key })]
      if (a.revision !== b.revision) expect(first < second).toBe(a.revision < b.revision)
    }),
  )
})

it('no other name is taken for an archived version', () => {
  expect(parseArchiveName('a')).toBeUndefined()
  expect(parseArchiveName('a\0zz')).toBeUndefined()
})
