// `homeostat init` on a real terminal, which `script` makes: it asks for what the command line does not say.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { need } from '../tools.ts'

const main = join(import.meta.dirname, '../../packages/cli/src/main.ts')
const command = `stty cols 100 rows 30 && exec '${process.execPath}' --conditions=homeostat-source '${main}' init --no-install`

function onTerminal(folder: string): {
  child: ChildProcess
  until(text: string): Promise<void>
  type(keys: string): void
} {
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let shown = ''
  child.stdout.on('data', (chunk) => {
    shown += chunk
  })
  return {
    child,
    async until(text) {
      await expect.poll(() => shown).toContain(text)
      shown = shown.slice(shown.indexOf(text) + text.length)
    },
    type: (keys) => void child.stdin.write(keys),
  }
}

// The `script` of other systems takes other options.
const missing = process.platform !== 'linux' || need('script').missing !== undefined
const DOWN = '\x1b[B'
const ENTER = '\r'

test.skipIf(missing)('a person is asked, sees what is wrong with an answer, and gets the project', async () => {
  const folder = temporaryFolder()
  const terminal = onTerminal(folder)
  const ended = once(terminal.child, 'close')
  await terminal.until('In which folder?')
  terminal.type(ENTER)
  await terminal.until('Which style?')
  terminal.type(DOWN)
  await terminal.until('an instance for each object')
  terminal.type(ENTER)
  await terminal.until('Which kind of object is it for?')
  terminal.type('!')
  terminal.type(ENTER)
  await terminal.until('a kind has at most 40 letters')
  terminal.type(`\x7f2${ENTER}`)
  await terminal.until('In which API group')
  terminal.type(ENTER)
  await terminal.until('my-operator is written in my-operator: Website2 of example.com, class')
  expect(await ended).toEqual([0, null])
  expect(readFileSync(join(folder, 'my-operator/src/website2.ts'), 'utf8')).toContain('class Website2Instance')
})

test.skipIf(missing)('a person who leaves gets nothing', async () => {
  const folder = temporaryFolder()
  const terminal = onTerminal(folder)
  const ended = once(terminal.child, 'close')
  await terminal.until('In which folder?')
  terminal.type(ENTER)
  await terminal.until('Which style?')
  terminal.type('\x03')
  await terminal.until('homeostat: cancelled; nothing was written')
  expect(await ended).toEqual([2, null])
  expect(existsSync(join(folder, 'my-operator'))).toBe(false)
})
