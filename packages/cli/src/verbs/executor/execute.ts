// The function `execute`: runs a program with its arguments, without a shell. Only executors with --allow-commands have
// it, since anyone who may submit processes can then run any program as this user.

import { spawn } from 'node:child_process'
import { StringDecoder } from 'node:string_decoder'
import { type ExecutorFunction, PermanentError, type ProcessContext } from '@homeostat/executor'
import { systemCode } from '../../fault.ts'

const TAIL_BYTES = 64 * 1024
const LONGEST_LINE = 16 * 1024
/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 5000

/**
 * `args: [PROGRAM, ARGUMENT...]`. The output is `{ exitCode, stdout }`; a program that fails is a failed attempt. `mark` is in
 * the environment of every program, by which it is found when the executor is gone.
 */
export function executeWith(mark: Readonly<Record<string, string>>): ExecutorFunction {
  return async (context: ProcessContext) => {
    const [program, ...args] = context.args.map(String)
    if (!program) throw new PermanentError('execute takes a program and its arguments as args, e.g. ["ls", "-l"]')
    const { exitCode, ending, stdout } = await runProgram(program, args, mark, context)
    if (exitCode === 0) return { exitCode, stdout }
    context.signal.throwIfAborted()
    throw new Error(`${program} ${ending}`)
  }
}

interface Ended {
  readonly exitCode: number | null
  readonly ending: string
  readonly stdout: string
}

function runProgram(
  program: string,
  args: string[],
  mark: Readonly<Record<string, string>>,
  { env, signal, log }: ProcessContext,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    // The program gets a process group of its own, so that its children end with it.
    const child = spawn(program, args, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env, ...mark },
    })
    const kill = (how: NodeJS.Signals) => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, how)
      } catch {
        // The program has ended already.
      }
    }
    let force: NodeJS.Timeout | undefined
    const end = () => {
      kill('SIGTERM')
      force = setTimeout(() => kill('SIGKILL'), GRACE_MS)
    }
    signal.addEventListener('abort', end, { once: true })
    const tail = new Tail()
    const lines = [new Lines(log), new Lines(log)] as const
    child.stdout.on('data', (chunk: Buffer) => {
      tail.add(chunk)
      lines[0].add(chunk)
    })
    child.stderr.on('data', (chunk: Buffer) => lines[1].add(chunk))
    const done = () => {
      signal.removeEventListener('abort', end)
      clearTimeout(force)
      for (const one of lines) one.end()
    }
    child.on('error', (error) => {
      done()
      const missing = systemCode(error) === 'ENOENT' || systemCode(error) === 'EACCES'
      reject(missing ? new PermanentError(`${program} cannot be run: ${error.message}`) : error)
    })
    child.on('close', (exitCode, killedBy) => {
      done()
      const ending = killedBy === null ? `ended with exit code ${exitCode}` : `was ended by ${killedBy}`
      resolve({ exitCode, ending, stdout: tail.text() })
    })
  })
}

/** Keeps the last part of the output. */
class Tail {
  #chunks: Buffer[] = []
  #bytes = 0

  add(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    while (this.#bytes - (this.#chunks[0]?.length ?? 0) >= TAIL_BYTES) this.#bytes -= this.#chunks.shift()?.length ?? 0
  }

  text(): string {
    return Buffer.concat(this.#chunks).subarray(-TAIL_BYTES).toString()
  }
}

/** Splits chunks into lines; an endless line is cut. */
class Lines {
  readonly #log: (text: string) => void
  readonly #decoder = new StringDecoder()
  #rest = ''

  constructor(log: (text: string) => void) {
    this.#log = log
  }

  add(chunk: Buffer): void {
    const parts = (this.#rest + this.#decoder.write(chunk)).split('\n')
    this.#rest = parts.pop() ?? ''
    for (const part of parts) this.#log(part)
    if (this.#rest.length > LONGEST_LINE) this.end()
  }

  end(): void {
    if (this.#rest !== '') this.#log(this.#rest)
    this.#rest = ''
  }
}
