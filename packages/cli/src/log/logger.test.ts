import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { makeLogger } from './logger.ts'

function capture(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY }) as unknown as NodeJS.WriteStream
  return { stream, read: () => String((stream as unknown as PassThrough).read() ?? '') }
}

test('a pipe gets JSON with level names and ISO times', () => {
  const { stream, read } = capture(false)
  makeLogger({ level: 'info', format: 'auto' }, stream).info({ port: 1 }, 'ready')
  expect(JSON.parse(read())).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    port: 1,
    msg: 'ready',
  })
})

test('a terminal gets lines for a person', () => {
  const { stream, read } = capture(true)
  makeLogger({ level: 'info', format: 'auto' }, stream).info({}, 'ready')
  expect(read()).toMatch(/INFO .*ready\n$/)
})

test('less serious entries than the level are left out', () => {
  const { stream, read } = capture(false)
  makeLogger({ level: 'error', format: 'json' }, stream).warn({}, 'no')
  expect(read()).toBe('')
})

test('a reader that goes away does not end the process', () => {
  const { stream } = capture(false)
  makeLogger({ level: 'info', format: 'json' }, stream)
  expect(stream.emit('error', new Error('EPIPE'))).toBe(true)
})
