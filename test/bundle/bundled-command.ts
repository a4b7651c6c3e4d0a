// The bundle as a user has it: a folder outside the clone, on the same Node, with nothing else of ours within reach.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

const script = join(import.meta.dirname, '../../scripts/bundle.ts')

export interface BundledCommand extends Disposable {
  readonly folder: string
  /** Starts it; the process ends with the test at the latest. */
  spawn(args: readonly string[], env?: NodeJS.ProcessEnv): ChildProcess
  /** Runs it to its end, which must be a good one. */
  run(args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }>
}

export async function bundledCommand(): Promise<BundledCommand> {
  const home = mkdtempSync(join(tmpdir(), 'homeostat-bundle-'))
  const folder = join(home, 'homeostat')
  await promisify(execFile)(process.execPath, ['--conditions=homeostat-source', script, folder])
  const program = join(folder, 'lib/homeostat.js')
  const options = {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, NODE_COMPILE_CACHE: join(home, 'compile-cache') },
  }
  return {
    folder,
    spawn(args, env = {}) {
      const child = spawn(process.execPath, [program, ...args], {
        cwd: home,
        env: { ...options.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      return child
    },
    run: (args) => promisify(execFile)(process.execPath, [program, ...args], options),
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  }
}
