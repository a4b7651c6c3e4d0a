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

test('an unknown level is reported once, and info is used', () => {
  const { lines, log } = output('loud')
  log.info({}, 'hello')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain('HOMEOSTAT_LOG_LEVEL is loud, which is none of trace, debug, info, warn, error')
})

test('lines are JSON under the names of the log of the server', () => {
  const { lines, log } = output()
  log.info({ kind: 'Site', name: 'shop', gone: undefined }, 'made')
  expect(lines[0]).toMatch(/^\{.*\}\n$/)
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    kind: 'Site',
    name: 'shop',
    msg: 'made',
  })
})

test('an unexpected error comes with its stack and those of its causes', () => {
  const { lines, log } = output()
  const cause = new TypeError("Cannot read properties of undefined (reading 'size')")
  log.error({ err: new Error('no size', { cause }) }, 'reconcile failed')
  const { type, message, stack } = JSON.parse(lines[0] ?? '').err
  expect([type, message]).toEqual(['Error', `no size: ${cause.message}`])
  expect(stack).toMatch(/^Error: no size\n {4}at .*log\.test\.ts/)
  expect(stack).toMatch(/\ncaused by: TypeError: Cannot read properties of undefined \(reading 'size'\)\n {4}at /)
})

const status = () => Object.assign(new Error('configmaps "a" not found'), { name: 'StatusError' })

class Terminal extends Error {
  override readonly name = 'Terminal'
}

test.each([
  ['a response of the server', status(), false],
  [
    'no response',
    Object.assign(new Error('no response', { cause: new Error('ECONNREFUSED') }), { name: 'ConnectionError' }),
    false,
  ],
  ['an end for good', new Terminal('never'), false],
  ['an end for good because of a response', new Terminal('no', { cause: status() }), false],
  ['an end for good because of a mistake', new Terminal('no', { cause: new TypeError('x') }), true],
])('%s has a stack: %3$s', (_, err, has) => {
  const { lines, log } = output()
  log.error({ err }, 'failed')
  const written = JSON.parse(lines[0] ?? '').err
  expect(written.message.startsWith(err.message)).toBe(true)
  expect('stack' in written).toBe(has)
})

test('what JSON cannot hold costs the fields and not the line', () => {
  const { lines, log } = output()
  const circle: { self?: object } = {}
  circle.self = circle
  log.info({ size: 10n }, 'big')
  log.info({ circle }, 'round')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ msg: 'big', size: '10' }, { msg: 'round' }])
})

test('on a terminal a line is for people, with the stack below it', () => {
  const { lines, log } = output(undefined, true)
  log.info({ kinds: ['Site'], server: 'http://x', text: 'two words' }, 'the operator works')
  log.error({ err: new TypeError('boom') }, 'reconcile failed')
  expect(lines[0]).toMatch(
    /^\d\d:\d\d:\d\d INFO {2}the operator works {2}kinds=\["Site"\] {2}server=http:\/\/x {2}text="two words"\n$/,
  )
  expect(lines[1]).toMatch(/ERROR reconcile failed {2}err=boom\n {4}TypeError: boom\n {8}at /)
})
