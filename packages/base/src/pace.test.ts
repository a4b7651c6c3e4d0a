import { expect, it } from 'vitest'
import { Pace } from './pace.ts'

it('leaves times as they are, raises what is shorter than 100 ms, and warns once', () => {
  const said: string[] = []
  const pace = new Pace((message) => said.push(message))
  expect([pace.keep(100, 'a'), pace.keep(10, 'Site shop'), pace.keep(0, 'b')]).toEqual([100, 100, 100])
  expect(said).toEqual(['Site shop is to be run again after 10 ms; the shortest time is 100 ms'])
})
