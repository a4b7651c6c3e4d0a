// Runs `homeostat` as a person types it, as a process of its own, and prints the line and what it answers.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { ownCommand, ownCommandEnv } from '@homeostat/cli'

export interface RunOptions {
  /** The context of the kubeconfig. Default: its current one. */
  readonly as?: string
  readonly input?: string
  /** The exit code that is expected. Default 0. */
  readonly exits?: number
}

export interface Command extends AsyncDisposable {
  /** Throws if the command ends with another exit code. */
  run(line: string, options?: RunOptions): Promise<void>
  /** Starts a command that does not end by itself. The returned function kills it; so does the end of the program. */
  start(line: string): () => Promise<void>
}

export function commandFor(kubeconfig: string, print: (text: string) => void): Command {
  const env = { ...process.env, ...ownCommandEnv(), HOMEOSTAT_SERVER: '', KUBECONFIG: kubeconfig, NO_COLOR: '1' }
  const [program = '', ...flags] = ownCommand
  const child = (words: readonly string[]) => spawn(program, [...flags, ...words], { env })
  const kills: (() => Promise<void>)[] = []
  return {
    async run(line, { as, input = '', exits = 0 } = {}) {
      const words = [...line.split(' '), ...(as === undefined ? [] : ['--context', as])]
      print(`$ homeostat ${words.join(' ')}\n`)
      if (input !== '') print(input.replace(/^(?=.)/gm, '> '))
      const running = child(words)
      running.stdin.end(input)
      const ended = once(running, 'close')
      const [out, error] = await Promise.all([text(running.stdout), text(running.stderr)])
      const [code] = await ended
      print(`${out}${error}\n`)
      if (code !== exits) throw new Error(`homeostat ${line} ended with ${code}, not ${exits}`)
    },
    start(line) {
      print(`$ homeostat ${line}\n`)
      const running = child(line.split(' '))
      running.stdout.resume()
      running.stderr.resume()
      const ended = once(running, 'close')
      const kill = async () => {
        running.kill('SIGKILL')
        await ended
      }
      kills.push(kill)
      return () => {
        print(`$ kill -9 ${running.pid}\n\n`)
        return kill()
      }
    },
    async [Symbol.asyncDispose]() {
      for (const kill of kills) await kill()
    },
  }
}
