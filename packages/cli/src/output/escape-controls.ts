// Escapes control characters and marks of bidirectional text: a terminal would obey them, and logs, names and messages of
// others may contain them. `run` passes everything that a verb prints through here.

import type { Terminal } from '../terminal.ts'

/** C0 but for tab and newline, DEL and C1, and the marks, embeddings and isolates of bidirectional text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Writes each as JSON does (`\u001b`), so that JSON stays JSON. Keeps CRLF line ends. */
export function escapeControls(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(CONTROLS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * The terminal that verbs get: text for a terminal is escaped, text for a file or a pipe is not.
 * `draw` does not escape, for callers that add colours and have escaped the parts.
 */
export function escapingTerminal(terminal: Terminal): Terminal {
  const own: Pick<Terminal, 'env' | 'out' | 'error' | 'draw' | 'drawError'> = {
    env: terminal.env,
    out: (text) => terminal.out(terminal.columns === undefined ? text : escapeControls(text)),
    error: (text) => terminal.error(terminal.errorColumns === undefined ? text : escapeControls(text)),
    draw: (text) => terminal.out(text),
    drawError: (text) => terminal.error(text),
  }
  // Inherits instead of copying, since the width may change.
  return Object.assign(Object.create(terminal), own)
}

/** Writes text with colours, whose parts the caller has escaped. */
export function draw(terminal: Terminal, text: string): void {
  if (terminal.draw) terminal.draw(text)
  else terminal.out(text)
}
