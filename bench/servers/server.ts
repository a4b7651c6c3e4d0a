// A server process that the bench started, ours or a bare one.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

export interface Server {
  readonly pid: number
  readonly port: number
  /** Asks it to end and waits for it. May be called twice. */
  stop(): Promise<void>
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export function asServer(child: ChildProcess, port: number): Server {
  const { pid } = child
  if (pid === undefined) throw new Error('the server did not start')
  return { pid, port, stop: () => stop(child) }
}

/** The bench never leaves a process behind, however it ends. */
export function track<C extends ChildProcess>(child: C): C {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await ended
  clearTimeout(late)
}
