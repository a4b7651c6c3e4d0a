import { expect, it } from 'vitest'
import { fakeTerminal } from '../terminal.fixture.ts'
import { Screen } from './screen.ts'

const at = () => new Date(2026, 0, 2, 3, 4, 5)

it('lines are grouped by object, with a heading when the object changes', () => {
  const terminal = fakeTerminal()
  const screen = new Screen(terminal, at)
  screen.say({ text: 'ready in 500 ms', aside: 'Site' })
  screen.about('Site default/blog', { text: 'created' })
  screen.about('Site default/blog', { text: 'ready' })
  screen.about('Site default/shop', { text: 'reconcile failed: no\nimage', more: [{ text: 'at site.ts:1' }] })
  screen.program('hello')
  screen.program('world')
  screen.say({ text: 'src/site.ts changed' })
  expect(terminal.shown.out).toBe(`03:04:05  ready in 500 ms  Site

Site default/blog
03:04:05  created
03:04:05  ready

Site default/shop
03:04:05  reconcile failed: no
          image
          at site.ts:1

hello
world

03:04:05  src/site.ts changed
`)
})

it('on a terminal there are colours, and nothing that others wrote is obeyed', () => {
  const terminal = fakeTerminal({ columns: 80 })
  const screen = new Screen(terminal, at)
  screen.about('Site a/\x1b[2J', { text: 'm\x1b[1A', tone: 'bad', aside: '\x07' })
  screen.program('\x1b[31mred\x1b[0m \x1b[2J')
  expect(terminal.shown.out).toBe(
    '\x1b[1mSite a/\\u001b[2J\x1b[0m\n' +
      '\x1b[2m03:04:05\x1b[0m  \x1b[31mm\\u001b[1A\x1b[0m  \x1b[2m\\u0007\x1b[0m\n\n' +
      '\x1b[31mred\x1b[0m \\u001b[2J\n',
  )
})
