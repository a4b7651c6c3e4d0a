import { expect, it } from 'vitest'
import { once } from './once.ts'

it('makes the value when it is first asked for, and only then, also when there is none', () => {
  let made = 0
  const nothing = once(() => {
    made++
    return undefined
  })
  expect(made).toBe(0)
  expect([nothing(), nothing()]).toEqual([undefined, undefined])
  expect(made).toBe(1)
})
