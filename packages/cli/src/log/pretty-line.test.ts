import { expect, test } from 'vitest'
import { prettyLine } from './pretty-line.ts'

test('a line shows time, level, message and fields', () => {
  const line =
    '{"level":"info","time":"2026-01-02T03:04:05.678Z","url":"http://x","text":"two words","n":1,"msg":"ready"}'
  expect(prettyLine(line, false)).toBe('03:04:05 INFO  ready url=http://x text="two words" n=1\n')
})

test('an error shows its stack below the line', () => {
  const line =
    '{"level":"error","time":"2026-01-02T03:04:05.678Z","err":{"stack":"Error: no\\n    at a.ts:1"},"msg":"failed"}'
  expect(prettyLine(line, false)).toBe('03:04:05 ERROR failed\n    Error: no\n        at a.ts:1\n')
})

test('colours are asked for', () => {
  expect(prettyLine('{"level":"warn","time":"2026-01-02T03:04:05.678Z","msg":"m"}', true)).toContain('\x1b[33mWARN ')
})

test('what a client sent cannot write over the terminal', () => {
  const line = JSON.stringify({
    level: 'warn',
    time: '2026-01-02T03:04:05.678Z',
    url: '/x\x1b[2J',
    err: { stack: 'no\x9b1A\n at x' },
    msg: 'm\x1b]0;t\x07',
  })
  expect(prettyLine(line, false)).toBe(
    '03:04:05 WARN  m\\u001b]0;t\\u0007 url=/x\\u001b[2J\n    no\\u009b1A\n     at x\n',
  )
})
