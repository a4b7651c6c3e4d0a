// The page has an install of its own, so that the checks of the repository do not see its types.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const page = join(import.meta.dirname, '../../packages/dashboard/page')

test('the types of the page are right', () => {
  const run = () =>
    execFileSync(process.execPath, [join(page, 'node_modules/typescript/bin/tsc'), '-p', page], { encoding: 'utf8' })
  try {
    expect(run()).toBe('')
  } catch (error) {
    expect.fail((error as { stdout?: string }).stdout || String(error))
  }
})
