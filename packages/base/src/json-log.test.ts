import { expect, test } from 'vitest'
import { jsonLog, type LogLevel } from './json-log.ts'

function logged(fields: object, level: LogLevel = 'debug') {
  const lines: string[] = []
  jsonLog({ level, write: (line) => void lines.push(line) }).warn(fields, 'said')
  return lines.map((line) => {
    expect(line.endsWith('\n')).toBe(true)
    return JSON.parse(line)
  })
}

test('an entry is one line of JSON with level, time, fields and message', () => {
  expect(logged({ port: 1, text: 'two\nlines' })).toEqual([
    { level: 'warn', time: expect.stringMatching(/^\d{4}-.*Z$/), port: 1, text: 'two\nlines', msg: 'said' },
  ])
})

test('entries below the level are left out, and silent leaves out all', () => {
  expect(logged({}, 'warn')).toHaveLength(1)
  expect(logged({}, 'error')).toEqual([])
  expect(logged({}, 'silent')).toEqual([])
})

test('an error has its type, its own fields, and its causes in message and stack', () => {
  const cause = new TypeError('inner')
  const err = Object.assign(new RangeError('outer', { cause }), { code: 'E1' })
  const [line] = logged({ err })
  expect(line.err).toMatchObject({ type: 'RangeError', code: 'E1', message: 'outer: inner' })
  expect(line.err.stack).toMatch(/RangeError: outer\n[\s\S]*\ncaused by: TypeError: inner\n/)
})

test('an error that is its own cause, circles and big integers are written', () => {
  const err = new Error('loop')
  err.cause = Object.assign(err, { held: { err } })
  const circle: Record<string, unknown> = { twice: [1], big: 2n }
  circle.again = circle.twice
  circle.self = circle
  const [line] = logged({ err, circle })
  expect(line.err).toMatchObject({ message: 'loop', held: { err: '[Circular]' } })
  expect(line.circle).toEqual({ twice: [1], again: [1], big: '2', self: '[Circular]' })
})

test('a field that throws costs the fields, not the entry', () => {
  const fields = {
    bad: {
      toJSON() {
        throw new Error('no')
      },
    },
  }
  expect(logged(fields)).toEqual([{ level: 'warn', time: expect.any(String), msg: 'said' }])
})
