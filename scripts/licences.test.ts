import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkLicences, licenceProblem } from './licences.ts'

it.each<[unknown, boolean, boolean]>([
  ['MIT', false, true],
  ['(MIT OR GPL-3.0)', false, true],
  ['MIT AND GPL-3.0', false, false],
  ['MPL-2.0', true, true],
  ['MPL-2.0', false, false],
  ['GPL-3.0', true, false],
  ['UNLICENSED', false, false],
  [undefined, true, false],
  [{ type: 'MIT' }, false, false],
])('%o of a tool: %s is allowed: %s', (licence, isTool, allowed) => {
  expect(licenceProblem('node_modules/x', licence, isTool).length === 0).toBe(allowed)
})

it('what is installed is allowed', () => {
  expect(checkLicences(join(import.meta.dirname, '..')).problems).toEqual([])
})
