import { expect, test } from 'vitest'
import { fakeTerminal } from '../terminal.fixture.ts'
import { draw, escapeControls, escapingTerminal } from './escape-controls.ts'

test.each([
  ['colours', '\x1b[31mred\x1b[0m', '\\u001b[31mred\\u001b[0m'],
  ['the title of the window', '\x1b]0;owned\x07', '\\u001b]0;owned\\u0007'],
  ['a link', '\x1b]8;;http://x\x1b\\text', '\\u001b]8;;http://x\\u001b\\text'],
  ['an eight-bit sequence', '\x9b2J', '\\u009b2J'],
  ['a return over what was written', 'safe\rrm -rf', 'safe\\u000drm -rf'],
  ['backspaces', 'ab\b\bcd\x7f', 'ab\\u0008\\u0008cd\\u007f'],
  ['text turned around', 'exe.\u202egpj', 'exe.\\u202egpj'],
  ['isolates', '\u2066a\u2069', '\\u2066a\\u2069'],
  ['lines, tabs and other letters', 'a\tb\r\nc\nä 日本 🙂', 'a\tb\nc\nä 日本 🙂'],
])('%s', (_, text, shown) => {
  expect(escapeControls(text)).toBe(shown)
})

test('JSON stays JSON of the same value', () => {
  const value = { text: '\x1b[31m \x9b \u202e' }
  expect(JSON.parse(escapeControls(JSON.stringify(value)))).toEqual(value)
})

test('only a terminal gets escapes, each of the two streams for itself', () => {
  const piped = fakeTerminal({ errorColumns: 80 })
  const terminal = escapingTerminal(piped)
  terminal.out('\x1b[1m')
  terminal.error('\x1b[1m')
  draw(terminal, '\x1b[2m')
  expect(piped.shown).toEqual({ out: '\x1b[1m\x1b[2m', error: '\\u001b[1m' })
})
