// Shows the steps of the demonstration as they happen: a heading, what the controller says, and a tick for what is true.

import { draw, escapeControls } from '../output/escape-controls.ts'
import type { Terminal } from '../terminal.ts'

export interface Narrator {
  step(heading: string): void
  /** What is shown to be true. */
  tick(fact: string): void
  /** A line of the controller's own. */
  quote(line: string): void
}

export function narratorOn(terminal: Terminal): Narrator {
  const color = terminal.columns !== undefined && !terminal.env.NO_COLOR
  const paint = (code: number, text: string) => (color ? `\x1b[${code}m${text}\x1b[0m` : text)
  let steps = 0
  return {
    step(heading) {
      steps++
      draw(terminal, `\n${paint(1, `${steps}. ${heading}`)}\n`)
    },
    tick: (fact) => draw(terminal, `   ${paint(32, '✓')} ${escapeControls(fact)}\n`),
    quote: (line) => draw(terminal, `   ${paint(2, `│ ${escapeControls(line)}`)}\n`),
  }
}
