// Makes text from elsewhere harmless to a terminal: logs, names, messages and error texts may hold control characters, which a
// terminal would obey, and marks that turn the direction of what follows. The command line puts every text through here.

import type { Terminal } from '../terminal.ts'

/** C0 but for tab and newline, DEL and C1, and the marks, embeddings and isolates of bidirectional text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Each is written as `\u001b`, which is what JSON makes of it: JSON stays JSON. A line may end as on Windows. */
export function escapeControls(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(CONTROLS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * The same terminal for verbs: what they write to a terminal is escaped, and what they write to a file or a pipe is as it is.
 * `draw` passes colours and the like, for callers that have escaped the parts.
 */
export function escapingTerminal(terminal: Terminal): Terminal {
  const own: Pick<Terminal, 'env' | 'out' | 'error' | 'draw' | 'drawError'> = {
    env: terminal.env,
    out: (text) => terminal.out(terminal.columns === undefined ? text : escapeControls(text)),
    error: (text) => terminal.error(terminal.errorColumns === undefined ? text : escapeControls(text)),
    draw: (text) => terminal.out(text),
    drawError: (text) => terminal.error(text),
  }
  // Not a copy: its width may change.
  return Object.assign(Object.create(terminal), own)
}

/** Writes what was drawn with colours. */
export function draw(terminal: Terminal, text: string): void {
  if (terminal.draw) terminal.draw(text)
  else terminal.out(text)
}
