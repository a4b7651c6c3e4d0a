import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const report = (passed: number, failed: number, skipped: number, testResults: object[] = []) =>
  JSON.stringify({
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: skipped,
    numTodoTests: 0,
    testResults,
  })

function totals(files: Record<string, string>): { code: number | null; lines: string[] } {
  const directory = mkdtempSync(join(tmpdir(), 'homeostat-totals-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  const program = join(import.meta.dirname, 'ci-totals.mjs')
  const { status, stdout } = spawnSync(process.execPath, [program, directory], { encoding: 'utf8' })
  return { code: status, lines: stdout.trimEnd().split('\n') }
}

it('adds up the tests of all stages', () => {
  const files = {
    'checks.code': '0\n',
    'a.code': '0\n',
    'a.json': report(3, 0, 1),
    'b.code': '0\n',
    'b.json': report(4, 0, 0),
  }
  expect(totals(files)).toEqual({ code: 0, lines: ['7 passed, 0 failed, 1 skipped'] })
})

it.each([
  ['a test that failed', { 'b.code': '1', 'b.json': report(4, 2, 0) }, '7 passed, 2 failed, 0 skipped'],
  ['a run that ended before its report', { 'b.code': '124' }, '3 passed, 1 failed, 0 skipped'],
  ['an error outside of tests', { 'b.code': '1', 'b.json': report(4, 0, 0) }, '7 passed, 1 failed, 0 skipped'],
  [
    'a file that does not load',
    {
      'b.code': '1',
      'b.json': report(4, 0, 0, [
        { name: 'b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
      ]),
    },
    '7 passed, 1 failed, 0 skipped',
  ],
])('counts %s, and names its stage', (_what, stage, last) => {
  const files = { 'a.code': '0', 'a.json': report(3, 0, 0), ...stage }
  const { code, lines } = totals(files)
  expect({ code, end: lines.slice(-2) }).toEqual({ code: 1, end: ['failed: b', last] })
})

const failure = {
  name: 'a.test.ts',
  status: 'failed',
  assertionResults: [
    { status: 'passed', fullName: 'adds' },
    { status: 'failed', fullName: 'takes away', failureMessages: ['expected 1\n  at line 3'] },
  ],
}

it('shows each failed test with the beginning of its error', () => {
  expect(totals({ 'a.code': '1', 'a.json': report(1, 1, 0, [failure]) })).toEqual({
    code: 1,
    lines: [
      'failed: a.test.ts > takes away',
      '  expected 1',
      '    at line 3',
      'failed: a',
      '1 passed, 1 failed, 0 skipped',
    ],
  })
})

it('names a test that passed only when it was run again, and counts it as passed', () => {
  const first = { 'a.code': '1', 'a.json': report(1, 1, 0, [failure]) }
  const { code, lines } = totals({ ...first, 'a.again.code': '0', 'a.again.json': report(2, 0, 0) })
  expect({ code, first: lines[0], last: lines.at(-1) }).toEqual({
    code: 0,
    first: 'passed only when run again: a.test.ts > takes away',
    last: '2 passed, 0 failed, 0 skipped',
  })
})

it('a test that fails again has failed', () => {
  const files = { 'a.code': '1', 'a.json': report(1, 1, 0, [failure]) }
  const { code, lines } = totals({ ...files, 'a.again.code': '1', 'a.again.json': report(1, 1, 0, [failure]) })
  expect({ code, last: lines.at(-1) }).toEqual({ code: 1, last: '1 passed, 1 failed, 0 skipped' })
})

it('a run without any test has not passed', () => {
  expect(totals({ 'checks.code': '0' })).toEqual({ code: 1, lines: ['0 passed, 0 failed, 0 skipped'] })
})
