import { expect, test } from 'vitest'
import { fakeTerminal } from '../terminal.fixture.ts'
import { progressOn } from './progress.ts'

test('what is waited for is one line that is drawn over itself and taken away', () => {
  const terminal = fakeTerminal({ errorColumns: 10 })
  const progress = progressOn(terminal)
  progress.show('one')
  progress.show('one')
  progress.show('far too long a line')
  progress.end()
  progress.end()
  expect(terminal.shown.error).toBe('\r\x1b[Kone\r\x1b[Kfar too …\r\x1b[K')
  expect(terminal.shown.out).toBe('')
})

test('where nobody looks nothing is said', () => {
  for (const terminal of [fakeTerminal(), fakeTerminal({ errorColumns: 80, env: { TERM: 'dumb' } })]) {
    const progress = progressOn(terminal)
    progress.show('one')
    progress.end()
    expect(terminal.shown).toEqual({ out: '', error: '' })
  }
})
