// The progress line: it says what the command waits for, is redrawn in place and is erased at the end. It is shown only if
// standard error is a terminal.

import type { Terminal } from '../terminal.ts'
import { escapeControls } from './escape-controls.ts'
import { shortened } from './table.ts'

export interface Progress {
  show(text: string): void
  /** Erases the line. Safe to call twice. */
  end(): void
}

const CLEAR = '\r\x1b[K'

export function progressOn(terminal: Terminal): Progress {
  const { errorColumns: width } = terminal
  if (width === undefined || terminal.env.TERM === 'dumb') return { show() {}, end() {} }
  const write = (text: string) => (terminal.drawError ? terminal.drawError(text) : terminal.error(text))
  let line = ''
  return {
    show(text) {
      const next = shortened(escapeControls(text.replace(/\s+/g, ' ')), width - 1)
      if (next === line) return
      line = next
      write(CLEAR + next)
    },
    end() {
      if (line !== '') write(CLEAR)
      line = ''
    },
  }
}
