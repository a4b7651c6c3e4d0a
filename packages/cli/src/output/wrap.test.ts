import { expect, test } from 'vitest'
import { fakeTerminal, runOn } from '../terminal.fixture.ts'
import { wrapText } from './wrap.ts'

test('a description goes on under its beginning', () => {
  const text = 'Options:\n  --port PORT  Port to listen on; 0 picks a free one.\n'
  expect(wrapText(text, 40)).toBe('Options:\n  --port PORT  Port to listen on; 0\n               picks a free one.\n')
})

test('one that has too little room goes below', () => {
  expect(wrapText('  --port PORT  Port to listen on; 0 picks', 30)).toBe(
    '  --port PORT\n      Port to listen on; 0\n      picks',
  )
})

test.each([[['up', '--help']], [['--help']], [['help', 'process', 'submit']], [['crd']]])(
  'the help of %j fits 60 columns, with the same words',
  async (argv) => {
    const wide = await runOn(fakeTerminal(), argv)
    const narrow = await runOn(fakeTerminal({ columns: 60 }), argv)
    const words = (text: string) => text.split(/\s+/)
    expect(words(narrow.out)).toEqual(words(wide.out))
    expect(narrow.out.split('\n').filter((line) => line.length > 60 && line.trim().includes(' '))).toEqual([])
  },
)
