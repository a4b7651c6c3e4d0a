// `homeostat dev` as its user runs it: a process of its own, in a project outside the workspace that has the packages in its
// node_modules.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { onTestFinished } from 'vitest'
import { SOURCE_FLAGS } from '../server-process.ts'

const root = join(import.meta.dirname, '../..')
const command = [process.execPath, ...SOURCE_FLAGS, join(root, 'packages/cli/src/main.ts'), 'dev']

export const main = `import { run } from '@homeostat/operator'
import { note } from './note.ts'
console.log('pid', process.pid)
run(note, { name: 'notes' })
`

/** Writes the text of a Note into a ConfigMap. */
export const note = (fields = 'text: z.string()', text = 'spec.text') => `import { operator } from '@homeostat/operator'
import { z } from 'zod'
const spec = z.object({ ${fields} })
export const note = operator('ex.io/v1/Note', { spec }, ({ name, spec, child, log }) => {
  log.info({}, 'writes ' + name)
  return [child('v1', 'ConfigMap', { data: { text: String(${text}) } })]
})
`

export const example = 'apiVersion: ex.io/v1\nkind: Note\nmetadata: { name: first }\nspec: { text: hello }\n'

/** A folder with the files of a project; those that are given go before the usual ones. */
export function makeProject(files: Readonly<Record<string, string>> = {}): string {
  const usual = {
    'package.json': '{"name": "notes", "type": "module"}',
    'src/main.ts': main,
    'src/note.ts': note(),
    'examples/first.yaml': example,
  }
  const folder = realpathSync(temporaryFolder({ ...usual, ...files }))
  mkdirSync(join(folder, 'node_modules'))
  for (const name of ['@homeostat', 'zod']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  return folder
}

export interface DevProcess {
  readonly child: ChildProcess
  /** Everything that was printed so far, without colours. */
  shown(): string
  /** Waits for a text after everything that was waited for before, and returns what fits. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  press(key: string): void
  stop(signal?: NodeJS.Signals): Promise<number | null>
  readonly ended: Promise<number | null>
}

export interface DevOptions {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** On a pseudo-terminal, through script(1). */
  readonly terminal?: string | undefined
}

export function startDev(folder: string, { args = [], env = {}, terminal }: DevOptions = {}): DevProcess {
  const { PATH, NODE_OPTIONS } = process.env
  const words = [...command, '--port', '0', ...args]
  const [program = '', ...rest] =
    terminal === undefined ? words : [terminal, '-qfec', words.map(quoted).join(' '), '/dev/null']
  const child = spawn(program, rest, {
    cwd: folder,
    env: {
      PATH,
      NODE_OPTIONS,
      HOME: folder,
      TERM: 'xterm',
      NODE_COMPILE_CACHE: join(root, '.homeostat/compile-cache'),
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  let text = ''
  let from = 0
  const add = (chunk: Buffer) => {
    text += chunk
    child.emit('text')
  }
  child.stdout.on('data', add)
  child.stderr.on('data', add)
  const shown = () => stripVTControlCharacters(text).replaceAll('\r', '')
  return {
    child,
    shown,
    ended,
    async says(pattern) {
      for (;;) {
        const found = new RegExp(pattern.source, `${pattern.flags}g`)
        found.lastIndex = from
        const match = found.exec(shown())
        if (match !== null) {
          from = match.index + match[0].length
          return match
        }
        const end = await Promise.race([ended.then(() => true), once(child, 'text').then(() => false)])
        if (end) throw new Error(`it ended without ${pattern}:\n${shown()}`)
      }
    },
    press: (key) => void child.stdin.write(key),
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
