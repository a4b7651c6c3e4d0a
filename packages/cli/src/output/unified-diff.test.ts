import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unifiedDiff } from './unified-diff.ts'

const NAMES = ['a', 'b'] as const
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
const diffOf = (before: readonly string[], after: readonly string[]) => unifiedDiff(text(before), text(after), NAMES)

test('a change is shown with three lines around it, and what is far away is left out', () => {
  const before = [...'abcdefghijklmnopqrst']
  const after = before.map((line) => (line === 'd' ? 'D' : line === 'q' ? 'Q' : line))
  expect(diffOf(before, after)).toBe(
    text(['--- a', '+++ b', '@@ -1,7 +1,7 @@', ' a', ' b', ' c', '-d', '+D', ' e', ' f', ' g']) +
      text(['@@ -14,7 +14,7 @@', ' n', ' o', ' p', '-q', '+Q', ' r', ' s', ' t']),
  )
})

test('a text that is new, gone or the same', () => {
  expect(diffOf([], ['x'])).toBe(text(['--- a', '+++ b', '@@ -0,0 +1 @@', '+x']))
  expect(diffOf(['x', 'y'], [])).toBe(text(['--- a', '+++ b', '@@ -1,2 +0,0 @@', '-x', '-y']))
  expect(diffOf(['x'], ['x'])).toBe('')
})

const someLines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 })

test('patching the old text with the diff makes the new one', () => {
  fc.assert(
    fc.property(someLines, someLines, (before, after) => {
      expect(patched(before, diffOf(before, after))).toEqual(after)
    }),
  )
})

test('the fewest lines change, as diff finds them', () => {
  const folder = temporaryFolder()
  const [one, other] = [join(folder, 'one'), join(folder, 'other')]
  const changed = (diff: string) => diff.split('\n').filter((line) => /^[-+](?![-+]{2} )/.test(line)).length
  const property = fc.property(someLines, someLines, (before, after) => {
    writeFileSync(one, text(before))
    writeFileSync(other, text(after))
    // It exits with 1 where files differ.
    const theirs = execFileSync('sh', ['-c', 'diff -d -u "$0" "$1" || true', one, other], { encoding: 'utf8' })
    expect(changed(diffOf(before, after))).toBe(changed(theirs))
  })
  fc.assert(property, { numRuns: 40 })
})

test('two long texts with nothing in common take no time to compare', () => {
  const before = Array.from({ length: 50_000 }, (_, at) => `a${at}`)
  const after = Array.from({ length: 50_000 }, (_, at) => `b${at}`)
  expect(patched(before, diffOf(before, after))).toEqual(after)
})

/** Applies the hunks, and checks that what they say about the old text is true. */
function patched(before: readonly string[], diff: string): string[] {
  const after: string[] = []
  let at = 0
  for (const line of diff.split('\n').slice(2, -1)) {
    const [, from, count] = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@$/.exec(line) ?? []
    if (from !== undefined) {
      const start = Number(from) - (count === '0' ? 0 : 1)
      after.push(...before.slice(at, start))
      at = start
    } else if (line.startsWith('+')) after.push(line.slice(1))
    else {
      expect(before[at]).toBe(line.slice(1))
      if (line.startsWith(' ')) after.push(line.slice(1))
      at += 1
    }
  }
  return [...after, ...before.slice(at)]
}
