// How `homeostat get` shows tables, once or while it watches: the columns that its options ask for, and colours on a terminal.

import { type ServedKind, typeName } from '../../access/served-kinds.ts'
import type { getOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import { draw, escapeControls } from '../../output/escape-controls.ts'
import { TableLayout } from '../../output/server-table.ts'
import { paintFor } from '../../output/style.ts'
import type { Terminal } from '../../terminal.ts'

export type GetValues = Values<(typeof getOptions)[number]>

export function layoutOf(
  kind: ServedKind,
  { values, terminal, wide, isMixed }: { values: GetValues; terminal: Terminal; wide: boolean; isMixed: boolean },
): TableLayout {
  const view = {
    wide,
    headers: !values['no-headers'],
    namespaces: values['all-namespaces'] && kind.namespaced,
    labels: values['show-labels'],
    prefix: isMixed ? `${typeName(kind)}/` : '',
  }
  return new TableLayout(view, paintFor(terminal))
}

/** The layout has made text of all control characters; marks of bidirectional text are left to the terminal's escaping. */
export function show(terminal: Terminal, text: string): void {
  const isPlain = paintFor(terminal)('good', '') === ''
  if (isPlain) terminal.out(text)
  else draw(terminal, text.split('\x1b').map(escapeControls).join('\x1b'))
}
