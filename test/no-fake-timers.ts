// A file of tests that leaves fake timers to the files that share its process fails. vitest.config.ts has it run with each.

import { afterAll, vi } from 'vitest'

afterAll(() => {
  if (!vi.isFakeTimers()) return
  vi.useRealTimers()
  throw new Error('the file leaves fake timers behind: end it with vi.useRealTimers()')
})
