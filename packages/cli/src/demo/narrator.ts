// Prints the steps of the demonstration: a heading, the lines of the controller, and a tick for each check that passed.

import { draw, escapeControls } from '../output/escape-controls.ts'
import type { Terminal } from '../terminal.ts'

export interface Narrator {
  step(heading: string): void
  /** Prints a check that passed. */
  tick(fact: string): void
  /** Prints a line of the controller. */
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
