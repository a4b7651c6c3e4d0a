// Colours of the output, used only on a terminal.

import type { Terminal } from '../terminal.ts'

export type Tone = 'good' | 'bad' | 'busy' | 'quiet' | 'strong'
export type Paint = (tone: Tone | undefined, text: string) => string

const CODES: Readonly<Record<Tone, number>> = { good: 32, bad: 31, busy: 33, quiet: 2, strong: 1 }

/** Standard output has colours when it is a terminal and NO_COLOR is not set (https://no-color.org). */
export function paintFor({ env, columns }: Terminal): Paint {
  const plain = columns === undefined || Boolean(env.NO_COLOR) || env.TERM === 'dumb'
  return (tone, text) => (plain || tone === undefined ? text : `\x1b[${CODES[tone]}m${text}\x1b[0m`)
}
