import { expect, test } from 'vitest'
import { stderrLog } from './stderr-log.ts'

function output(level?: string, isTTY = false) {
  const lines: string[] = []
  const log = stderrLog({ HOMEOSTAT_LOG_LEVEL: level }, { isTTY, write: (text) => lines.push(text) })
  return { lines, log }
}

test.each([
  [undefined, ['info', 'warn', 'error']],
  ['debug', ['debug', 'info', 'warn', 'error']],
  ['WARN', ['warn', 'error']],
  ['silent', []],
])('with the level %s it says %s', (level, expected) => {
  const { lines, log } = output(level)
  for (const name of ['debug', 'info', 'warn', 'error'] as const) log[name]({}, 'hello')
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(expected)
})

test('a level that is none is told once, and info is used', () => {
  const { lines, log } = output('loud')
  log.info({}, 'hello')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain('HOMEOSTAT_LOG_LEVEL is loud, which is none of trace, debug, info, warn, error')
})

test('lines are JSON, with the fields beside the message', () => {
  const { lines, log } = output()
  log.info({ kind: 'Site', name: 'shop', gone: undefined }, 'made')
  expect(lines[0]).toMatch(/^\{.*\}\n$/)
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    message: 'made',
    kind: 'Site',
    name: 'shop',
  })
})

test('an unexpected error comes with its stack and those of its causes', () => {
  const { lines, log } = output()
  const cause = new TypeError("Cannot read properties of undefined (reading 'size')")
  log.error({ err: new Error('no size', { cause }) }, 'reconcile failed')
  const { error, stack } = JSON.parse(lines[0] ?? '')
  expect(error).toBe('no size')
  expect(stack).toMatch(/^Error: no size\n {4}at .*log\.test\.ts/)
  expect(stack).toMatch(/\nCaused by: TypeError: Cannot read properties of undefined \(reading 'size'\)\n {4}at /)
})

const status = () => Object.assign(new Error('configmaps "a" not found'), { name: 'StatusError' })

class Terminal extends Error {
  override readonly name = 'Terminal'
}

test.each([
  ['an answer of the server', status(), false],
  [
    'no answer',
    Object.assign(new Error('no answer', { cause: new Error('ECONNREFUSED') }), { name: 'ConnectionError' }),
    false,
  ],
  ['an end for good', new Terminal('never'), false],
  ['an end for good because of an answer', new Terminal('no', { cause: status() }), false],
  ['an end for good because of a mistake', new Terminal('no', { cause: new TypeError('x') }), true],
])('%s has a stack: %3$s', (_, err, has) => {
  const { lines, log } = output()
  log.error({ err }, 'failed')
  expect(JSON.parse(lines[0] ?? '').error).toBe(err.message)
  expect('stack' in JSON.parse(lines[0] ?? '')).toBe(has)
})

test('what JSON cannot hold costs the fields and not the line', () => {
  const { lines, log } = output()
  const circle: { self?: object } = {}
  circle.self = circle
  log.info({ size: 10n }, 'big')
  log.info({ circle }, 'round')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ message: 'big', size: '10' }, { message: 'round' }])
})

test('on a terminal a line is for people, with the stack below it', () => {
  const { lines, log } = output(undefined, true)
  log.info({ kinds: ['Site'], server: 'http://x', text: 'two words' }, 'the operator works')
  log.error({ err: new TypeError('boom') }, 'reconcile failed')
  expect(lines[0]).toMatch(
    /^\d\d:\d\d:\d\d INFO {2}the operator works {2}kinds=\["Site"\] {2}server=http:\/\/x {2}text="two words"\n$/,
  )
  expect(lines[1]).toMatch(/ERROR reconcile failed {2}error=boom\n {4}TypeError: boom\n {8}at /)
})
