import { expect, it } from 'vitest'
import { fakeTerminal } from '../terminal.fixture.ts'
import { Screen } from './screen.ts'

const at = () => new Date(2026, 0, 2, 3, 4, 5)

it('lines of objects that work at the same time are grouped by object', () => {
  const terminal = fakeTerminal()
  const screen = new Screen(terminal, at)
  screen.say({ text: 'ready in 500 ms', aside: 'Site' })
  screen.about('Site default/blog', { text: 'created' })
  screen.about('Site default/shop', { text: 'reconcile failed: no\nimage', more: [{ text: 'at site.ts:1' }] })
  screen.about('Site default/blog', { text: 'waits' })
  screen.about('Site default/blog', { text: 'waits' })
  screen.flush()
  screen.about('Site default/shop', { text: 'not ready', isState: true })
  screen.about('Site default/shop', { text: 'ready', isState: true })
  screen.program('hello')
  screen.program('world')
  screen.say({ text: 'src/site.ts changed' })
  expect(terminal.shown.out).toBe(`03:04:05  ready in 500 ms  Site

Site default/blog
03:04:05  created
03:04:05  waits (x2)

Site default/shop
03:04:05  reconcile failed: no
          image
          at site.ts:1
03:04:05  ready

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
  screen.flush()
  expect(terminal.shown.out).toBe(
    '\x1b[1mSite a/\\u001b[2J\x1b[0m\n' +
      '\x1b[2m03:04:05\x1b[0m  \x1b[31mm\\u001b[1A\x1b[0m  \x1b[2m\\u0007\x1b[0m\n\n' +
      '\x1b[31mred\x1b[0m \\u001b[2J\n',
  )
})

it('a long line goes on below its text', () => {
  const terminal = fakeTerminal({ columns: 40, env: { NO_COLOR: '1' } })
  const screen = new Screen(terminal, at)
  screen.say({ text: 'the definition of sites was updated', aside: 'and this has no room there' })
  expect(terminal.shown.out).toBe(`03:04:05  the definition of sites was
          updated
          and this has no room there
`)
})

it('a question stays in the last line until it is answered', () => {
  const terminal = fakeTerminal({ columns: 80, env: { NO_COLOR: '1' } })
  const screen = new Screen(terminal, at)
  screen.ask('Sure? y/N')
  screen.say({ text: 'meanwhile' })
  screen.answered('no')
  screen.say({ text: 'later' })
  expect(terminal.shown.out).toBe('Sure? y/N \r\x1b[K03:04:05  meanwhile\nSure? y/N no\n03:04:05  later\n')
})
