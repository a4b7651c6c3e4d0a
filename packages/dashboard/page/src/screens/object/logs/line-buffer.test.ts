// Lines of a log within bounds, whatever it sends.

import { expect, test } from 'vitest'
import { LineBuffer, searched, visible } from './line-buffer.ts'

const texts = (buffer: LineBuffer) => buffer.lines().map(({ text }) => text)

test('lines are put together from chunks, and the last one needs no end', () => {
  const buffer = new LineBuffer()
  for (const chunk of ['on', 'e\ntw', 'o\n\nth', 'ree']) buffer.add(chunk)
  expect(texts(buffer)).toEqual(['one', 'two', ''])
  buffer.end()
  expect(texts(buffer)).toEqual(['one', 'two', '', 'three'])
})

test('the newest lines stay, with their numbers', () => {
  const buffer = new LineBuffer({ lines: 3, characters: 1000, line: 10 })
  for (let at = 1; at <= 1000; at++) buffer.add(`line ${at}\n`)
  expect(buffer.lines()).toEqual([
    { number: 998, text: 'line 998' },
    { number: 999, text: 'line 999' },
    { number: 1000, text: 'line 1000' },
  ])
  expect(buffer.dropped).toBe(997)
})

test('neither a line without end nor many long ones take more than their share', () => {
  const buffer = new LineBuffer({ lines: 100, characters: 50, line: 20 })
  for (let at = 0; at < 100; at++) buffer.add('x'.repeat(100_000))
  buffer.add('\n')
  expect(texts(buffer)).toEqual([`${'x'.repeat(20)}…`])
  for (let at = 0; at < 10; at++) buffer.add(`${'y'.repeat(30)}\n`)
  expect(buffer.lines()).toHaveLength(2)
})

test('control characters are seen, colours are not', () => {
  expect(visible('\u001b[31mred\u001b[0m\r')).toBe('red')
  expect(visible('a\u0000b\u0007\u001b]0;title\u0007\u007f\tc')).toBe('a␀b␇␛]0;title␇␡\tc')
  expect(visible('abc\u202edef')).toBe('abc\ufffddef')
})

test('a search finds lines without regard to case', () => {
  const lines = [
    { number: 1, text: 'Error: no' },
    { number: 2, text: 'fine' },
  ]
  expect(searched(lines, 'ERROR')).toEqual([lines[0]])
  expect(searched(lines, '')).toBe(lines)
})
