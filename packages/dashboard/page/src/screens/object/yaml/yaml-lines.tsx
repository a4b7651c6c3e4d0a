// A YAML text with colours, and beside each line who manages its field, when that is asked for.

import { useMemo } from 'react'
import { lineManagers } from './line-managers.ts'
import { type YamlPart, yamlParts } from './yaml-parts.ts'

export function YamlText({ text }: { readonly text: string }) {
  const parts = useMemo(() => yamlParts(text), [text])
  return (
    <pre>
      <Parts parts={parts} />
    </pre>
  )
}

/** More lines than this nobody reads, and each is an element here. */
const MOST_LINES = 5000

export interface ManagedYamlProps {
  readonly text: string
  readonly managedFields: readonly unknown[] | undefined
}

export function ManagedYaml({ text, managedFields }: ManagedYamlProps) {
  const lines = useMemo(() => linesOf(yamlParts(text)).slice(0, MOST_LINES), [text])
  const managers = useMemo(() => lineManagers(text, managedFields), [text, managedFields])
  return (
    <pre>
      {lines.map((parts, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
        <div key={line} className="managed-line">
          <span>
            <Parts parts={parts} />
          </span>
          {managers.has(line) && <span className="manager-name">{managers.get(line)}</span>}
        </div>
      ))}
    </pre>
  )
}

function Parts({ parts }: { readonly parts: readonly YamlPart[] }) {
  return parts.map(({ text, isName }, index) =>
    isName ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name
      <span key={index} className="name">
        {text}
      </span>
    ) : (
      text
    ),
  )
}

/** The same parts by line. */
function linesOf(parts: readonly YamlPart[]): YamlPart[][] {
  const lines: YamlPart[][] = [[]]
  for (const { text, isName } of parts) {
    for (const [index, piece] of text.split('\n').entries()) {
      if (index > 0) lines.push([])
      if (piece !== '') lines.at(-1)?.push({ text: piece, isName })
    }
  }
  return lines
}
