// How the object of a row is, by the server's columns.

import { expect, test } from 'vitest'
import { rowHealth, worst } from './row-health.ts'

const row = (cells: Record<string, unknown>, metadata: object = {}) =>
  rowHealth(
    Object.keys(cells).map((name) => ({ name })),
    { cells: Object.values(cells), metadata: metadata as never },
  )

test('the worst cell counts, and says so', () => {
  expect(row({ Name: 'failed', Ready: '1/2', Status: 'Running' })).toEqual({ health: 'busy', word: '1/2' })
  expect(row({ Ready: '2/2', Status: 'Running' })).toEqual({ health: 'good', word: '2/2' })
  expect(row({ Ready: '0/1', Status: 'CrashLoopBackOff' })).toEqual({ health: 'bad', word: 'CrashLoopBackOff' })
  expect(row({ Ready: 'False' })).toEqual({ health: 'bad', word: 'Ready False' })
  expect(row({ Ready: '0/1', Status: 'Completed' })).toMatchObject({ health: 'good' })
  expect(row({ Age: 'x', Data: 3 })).toEqual({ health: undefined, word: undefined })
  expect(row({ Ready: 'True' }, { deletionTimestamp: 'x' })).toMatchObject({ health: 'busy' })
})

test('of several the worst counts', () => {
  expect(worst(['good', undefined, 'bad', 'busy'])).toBe('bad')
  expect(worst([undefined])).toBeUndefined()
})
