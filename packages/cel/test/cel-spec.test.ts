// The public conformance tests of CEL, as far as they need no protobuf messages: test/data/cel-spec.json. What does not pass is listed
// with its reason in cel-spec-failures.json, which only gets shorter.

import { readFileSync } from 'node:fs'
import { readJson } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { createEnvironment } from '../src/environment.ts'
import { type Conformance, conforms } from './conformance.fixture.ts'

function read(name: string): unknown {
  return readJson(readFileSync(new URL(`data/${name}`, import.meta.url), 'utf8')).value
}

const { tests } = read('cel-spec.json') as { tests: Conformance[] }
const failures = read('cel-spec-failures.json') as Record<string, string[]>
const known = new Set(Object.values(failures).flat())
const nameOf = ({ section, name }: Conformance) => `${section}/${name}`

describe('conformance', () => {
  it('has the tests', () => {
    expect(tests.length).toBeGreaterThan(1500)
  })

  it.each(tests.filter((test) => !known.has(nameOf(test))))('$section $name: $expression', (test) => {
    expect(conforms(test, createEnvironment)).toBe('')
  })

  it.each(tests.filter((test) => known.has(nameOf(test))))('fails as explained: $section $name', (test) => {
    expect(conforms(test, createEnvironment)).not.toBe('')
  })
})
