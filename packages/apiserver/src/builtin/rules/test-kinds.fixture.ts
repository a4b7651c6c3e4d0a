// Declares the tests that every kind with a table of cases gets: defaults on create, causes on create, causes on update.
// The test files of kinds with few rules call it, each for one subject.

import { describe, expect, it } from 'vitest'
import { type Body, type Changes, changed, creatingAhead, updatingAhead } from './rules.fixture.ts'

interface KindCases<Name> {
  /** What a create adds to the body. */
  readonly completed: readonly (readonly [Name, object])[]
  /** Changes of the body, each with the causes that a create answers. */
  readonly refused: readonly (readonly [Name, readonly (readonly [Changes, readonly string[]])[]])[]
  /** Changes of the stored object, with the causes that an update answers. */
  readonly updated: readonly (readonly [Name, Changes, readonly string[]])[]
}

export function testKinds<Name extends string>(bodies: Readonly<Record<Name, Body>>, cases: KindCases<Name>): void {
  it.each(cases.completed)('%s is completed', async (name, completed) => {
    const { causes, object } = await creatingAhead(bodies[name])
    expect(causes).toEqual([])
    expect(object).toMatchObject(completed)
  })

  it.each(Object.keys(bodies) as Name[])('%s is good as it is', async (name) => {
    expect((await creatingAhead(bodies[name])).causes).toEqual([])
    expect((await updatingAhead(bodies[name], { 'metadata.labels': { a: 'b' } })).causes).toEqual([])
  })

  describe.each(cases.refused)('%s', (name, refused) => {
    it.each(refused)('is refused with %j: %j', async (changes, causes) => {
      expect((await creatingAhead(changed(bodies[name], changes))).causes).toEqual(causes)
    })
  })

  it.each(cases.updated)('a change of %s to %j', async (name, changes, causes) => {
    expect((await updatingAhead(bodies[name], changes)).causes).toEqual(causes)
  })
}
