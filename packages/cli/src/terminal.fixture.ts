// A terminal for tests: keeps what verbs write, and is as wide as the test says.

import { run } from './run.ts'
import type { Terminal } from './terminal.ts'

export interface Shown {
  readonly code: number
  readonly out: string
  readonly error: string
}

export interface FakeTerminal extends Terminal {
  readonly shown: { out: string; error: string }
  /** Resolves once the text was written to standard output or standard error. */
  until(pattern: RegExp): Promise<void>
}

export function fakeTerminal(parts: Partial<Omit<Terminal, 'out' | 'error'>> = {}): FakeTerminal {
  const shown = { out: '', error: '' }
  const waiting = new Set<() => void>()
  const write = (to: 'out' | 'error') => (text: string) => {
    shown[to] += text
    for (const check of waiting) check()
  }
  return {
    env: {},
    ...parts,
    out: write('out'),
    error: write('error'),
    shown,
    until: (pattern) =>
      new Promise((resolve) => {
        const check = () => {
          if (!pattern.test(shown.out) && !pattern.test(shown.error)) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
  }
}

export async function runOn(terminal: FakeTerminal, argv: readonly string[]): Promise<Shown> {
  const code = await run(argv, terminal)
  return { code, ...terminal.shown }
}
