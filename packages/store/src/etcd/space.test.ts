import { expect, it } from 'vitest'
import { spaceWarning } from './space.ts'

const GIB = 1 << 30
const status = { endpoint: 'a', version: '3.6.2', memberId: '1', leaderId: '1', learner: false, errors: [] }

it.each([
  ['nothing while there is room', 0.5 * GIB, 0.4 * GIB, 2 * GIB, undefined],
  ['of a quota that is nearly used', 1.9 * GIB, 1.8 * GIB, 2 * GIB, '--quota-backend-bytes'],
  ['of a quota that is nearly used by free pages', 1.9 * GIB, 0.2 * GIB, 2 * GIB, 'defragment its members'],
  ['by the default quota where the member does not say its own', 1.9 * GIB, 1.8 * GIB, 0, '2048 MiB'],
  ['of a file that is mostly free pages', GIB, 0.3 * GIB, 8 * GIB, 'fragmented'],
  ['nothing of a small file, however much of it is free', 0.1 * GIB, 0, 8 * GIB, undefined],
])('a warning says %s', (_, dbSize, dbSizeInUse, dbSizeQuota, words) => {
  const warning = spaceWarning({ ...status, dbSize, dbSizeInUse, dbSizeQuota } as Parameters<typeof spaceWarning>[0])
  if (words === undefined) expect(warning).toBeUndefined()
  else expect(warning?.message).toContain(words)
})
