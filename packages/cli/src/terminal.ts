// What a verb may touch of the process it runs in. `main.ts` passes the real one, tests their own.

import type { Clock } from '@homeostat/base'

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whatever this process starts from now on has these variables. */
  inherit?(variables: Readonly<Record<string, string>>): void
  /** What the person asked for. */
  out(text: string): void
  /** What went wrong, and what is waited for. */
  error(text: string): void
  /** The same as `out` and `error`, but text of this program's own, with colours: what came from elsewhere is escaped in it. */
  draw?(text: string): void
  drawError?(text: string): void
  /** How wide standard output is, when it is a terminal: tables are cut to it, and have colours. */
  readonly columns?: number | undefined
  /** The same of standard error: what is waited for is shown there. */
  readonly errorColumns?: number | undefined
  /** Standard input to its end. */
  input?(): Promise<string>
  /** Resolves with the reason when the command should end; asking for it takes signals from their default. */
  ending?(): Promise<string>
  /** Aborts when nobody reads standard output any more. */
  readonly unread?: AbortSignal
  /** What `--timeout` is measured with: the system's clock unless given. */
  readonly clock?: Clock
}

export const processTerminal: Terminal = {
  env: process.env,
  inherit: (variables) => void Object.assign(process.env, variables),
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
  get columns() {
    return process.stdout.isTTY ? process.stdout.columns : undefined
  },
  get errorColumns() {
    return process.stderr.isTTY ? process.stderr.columns : undefined
  },
  async input() {
    const chunks: Buffer[] = []
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString()
  },
  ending: async () => (await import('./ending.ts')).waitForEnding(),
  get unread() {
    const gone = new AbortController()
    process.stdout.on('error', () => gone.abort())
    return gone.signal
  },
}
