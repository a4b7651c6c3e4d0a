// What a verb may touch of the process it runs in. `main.ts` passes the real one, tests their own.

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** What the person asked for. */
  out(text: string): void
  /** What went wrong. */
  error(text: string): void
}

export const processTerminal: Terminal = {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
}
