// The one line on a terminal that says what is waited for. It is drawn over itself and gone at the end; where standard
// error is no terminal there is nothing.

import type { Terminal } from '../terminal.ts'
import { escapeControls } from './escape-controls.ts'
import { shortened } from './table.ts'

export interface Progress {
  show(text: string): void
  /** Takes the line away. Safe to call twice. */
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
