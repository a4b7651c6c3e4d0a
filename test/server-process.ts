// Runs `homeostat up` as a user does, in a process of its own, for tests that need signals, crashes or real clients.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { etcdFlagsForTests } from '@homeostat/store/testing/etcd/store-for-tests'
import { onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Flags of a Node that runs sources of ours as `npm start` does, which starts in half of the time. */
export const SOURCE_FLAGS: readonly string[] = [
  '--conditions=homeostat-source',
  '--disable-warning=ExperimentalWarning',
  '--min-semi-space-size=8',
  `--import=${pathToFileURL(join(root, 'scripts/quick-imports.ts'))}`,
]

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface ServerProcess {
  readonly url: string
  readonly kubeconfig: string
  readonly child: ChildProcess
  /** Everything printed so far. */
  output(): { readonly stdout: string; readonly stderr: string }
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

/** Starts the command. The process ends with the test at the latest. */
export function spawnHomeostat(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawnScript(join(root, 'packages/cli/src/main.ts'), args, env)
}

export function spawnScript(
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd = root,
): ChildProcess {
  const child = spawn(process.execPath, [...SOURCE_FLAGS, script, ...args], {
    cwd,
    env: { ...process.env, NODE_COMPILE_CACHE: join(root, '.homeostat/compile-cache'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** The command line of a server, on etcd where the tests run on that. */
export function upArgs(directory: string, args: readonly string[]): string[] {
  return ['up', '--port', '0', '--data-dir', directory, ...etcdFlagsForTests(directory, args), ...args]
}

/** Resolves when the server has said that it is ready; rejects with what it printed when it ended instead. */
export function startServer(directory: string, args: readonly string[] = []): Promise<ServerProcess> {
  const child = spawnHomeostat(upArgs(directory, args))
  return ready(child, directory)
}

/** The same for a script that says where it is as the command does. Its first argument is the data directory. */
export function startScript(script: string, args: readonly [directory: string, ...string[]]): Promise<ServerProcess> {
  return ready(spawnScript(script, args), args[0])
}

/** The same for a process that was started in another way. */
export async function ready(child: ChildProcess, directory: string): Promise<ServerProcess> {
  const printed = { stdout: '', stderr: '' }
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal }))
  const said = new Promise<string>((resolve) => {
    child.stderr?.on('data', (chunk) => {
      printed.stderr += chunk
    })
    child.stdout?.on('data', (chunk) => {
      printed.stdout += chunk
      const url = /ready at (\S+)/.exec(printed.stdout)?.[1]
      if (url !== undefined) resolve(url)
    })
  })
  const url = await Promise.race([said, ended])
  if (typeof url !== 'string') throw new Error(`the server ended with ${url.code ?? url.signal}:\n${printed.stderr}`)
  return {
    url,
    kubeconfig: join(directory, 'kubeconfig'),
    child,
    output: () => ({ ...printed }),
    stop: (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended
    },
  }
}
