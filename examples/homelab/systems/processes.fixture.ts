// The server and the operator as processes of their own, which end with the test.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../../..')

export function spawnScript(script: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const flags = ['--conditions=homeostat-source', '--disable-warning=ExperimentalWarning']
  const child = spawn(process.execPath, [...flags, join(root, script), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

export interface ServerProcess {
  readonly url: string
  readonly kubeconfig: string
  kill(): Promise<void>
}

export async function startServer(data: string, port = '0'): Promise<ServerProcess> {
  const child = spawnScript('packages/cli/src/main.ts', ['up', '--port', port, '--data-dir', data])
  let printed = ''
  const ended = once(child, 'close')
  const said = new Promise<string>((resolve) => {
    child.stdout?.on('data', (chunk) => {
      printed += chunk
      const url = /ready at (\S+)/.exec(printed)?.[1]
      if (url !== undefined) resolve(url)
    })
  })
  const url = await Promise.race([said, ended])
  if (typeof url !== 'string') throw new Error(`the server ended:\n${printed}`)
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return { url, kubeconfig: join(data, 'kubeconfig'), kill }
}
