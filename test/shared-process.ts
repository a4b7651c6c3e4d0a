// A file of tests fails that leaves fake timers, or a changed prototype, to the files that share its process. vitest.config.ts has it
// run with each.

import { afterAll, expect, vi } from 'vitest'

const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype, Map.prototype, String.prototype]

const keys = (prototype: object) => Reflect.ownKeys(prototype).length
const before = PROTOTYPES.map(keys)

afterAll(() => {
  // Whatever is in Object.prototype is in every object: other files would fail in odd places.
  expect(PROTOTYPES.map(keys), 'a prototype has other fields than before the file').toEqual(before)
})

afterAll(() => {
  if (!vi.isFakeTimers()) return
  vi.useRealTimers()
  throw new Error('the file leaves fake timers behind: end it with vi.useRealTimers()')
})
