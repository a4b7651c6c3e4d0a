// The interface between a verb and its process. `main.ts` passes the real one, tests their own.

import type { Clock } from '@homeostat/base'

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Sets environment variables that child processes inherit. */
  inherit?(variables: Readonly<Record<string, string>>): void
  /** Writes the result of the command to standard output. */
  out(text: string): void
  /** Writes errors, warnings and progress to standard error. */
  error(text: string): void
  /** Like `out` and `error`, but not escaped: the caller adds colours and has escaped the rest. */
  draw?(text: string): void
  drawError?(text: string): void
  /** The width of standard output if it is a terminal; tables are then cut to it and have colours. */
  readonly columns?: number | undefined
  /** The width of standard error if it is a terminal; progress is then shown. */
  readonly errorColumns?: number | undefined
  /** Standard input to its end. */
  input?(): Promise<string>
  /** Calls back with each key that is pressed, until the returned function is called. Absent unless a person is there. */
  readonly keys?: ((onKey: (key: string) => void) => () => void) | undefined
  /** Resolves with the reason when the command should end. Replaces the default signal handlers. */
  ending?(): Promise<string>
  /** Aborts when nobody reads standard output any more. */
  readonly unread?: AbortSignal
  /** Measures `--timeout`; the system's clock by default. */
  readonly clock?: Clock
}

/** Of a terminal that does not know its width, which then is 0. */
const USUAL_WIDTH = 80

export const processTerminal: Terminal = {
  env: process.env,
  inherit: (variables) => void Object.assign(process.env, variables),
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
  get columns() {
    return process.stdout.isTTY ? process.stdout.columns || USUAL_WIDTH : undefined
  },
  get errorColumns() {
    return process.stderr.isTTY ? process.stderr.columns || USUAL_WIDTH : undefined
  },
  async input() {
    const chunks: Buffer[] = []
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString()
  },
  get keys() {
    return process.stdin.isTTY && process.stdout.isTTY ? readKeys : undefined
  },
  // Late: main.ts loads this file before anything else, and ending.ts needs node:net.
  ending: async () => (await import('./ending.ts')).waitForEnding(),
  get unread() {
    const gone = new AbortController()
    process.stdout.on('error', () => gone.abort())
    return gone.signal
  },
}

/** Reads keys as they are pressed, without a line break. Then Ctrl-C is a key as well, and no signal. */
function readKeys(onKey: (key: string) => void): () => void {
  const { stdin } = process
  const read = (text: string) => {
    for (const key of text) onKey(key)
  }
  stdin.setRawMode(true)
  stdin.setEncoding('utf8').on('data', read).resume()
  return () => {
    stdin.off('data', read).pause()
    stdin.setRawMode(false)
  }
}
