// Two states of an object, compared as YAML. Values of Secrets are masked: only whether one differs is shown.

import { comparable, type KeptObject, maskSecrets } from '@homeostat/meta/history'
import { useMemo } from 'react'
import { stringify } from 'yaml'
import { type DiffLine, diffLines } from './lines.ts'

const SIGNS: Record<DiffLine['kind'], string> = { same: ' ', removed: '-', added: '+', gap: '⋯' }
/** More lines than this nobody reads, and a browser should not lay out. */
const MOST = 2000
const LONGEST = 2000

export interface DiffViewProps {
  readonly before: KeptObject
  readonly after: KeptObject
  readonly label: string
}

export function DiffView({ before, after, label }: DiffViewProps) {
  const lines = useMemo(() => {
    const [old, now] = maskSecrets(comparable(before), comparable(after))
    return diffLines(yamlOf(old), yamlOf(now))
  }, [before, after])
  return <DiffLines lines={lines} label={label} />
}

export function DiffLines({ lines, label }: { readonly lines: readonly DiffLine[]; readonly label: string }) {
  if (lines.length === 0) return <p className="quiet">Nothing differs but what the server and controllers write.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a place that scrolls must be reachable by keyboard
    <section className="diff" aria-label={label} tabIndex={0}>
      {lines.slice(0, MOST).map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
        <div key={index} className={kind}>
          <span aria-hidden="true">{SIGNS[kind]}</span>
          {kind === 'removed' && <span className="hidden-text">removed: </span>}
          {kind === 'added' && <span className="hidden-text">added: </span>}
          <code>{text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}</code>
        </div>
      ))}
      {lines.length > MOST && <p className="quiet">{lines.length - MOST} more lines differ.</p>}
    </section>
  )
}

export function yamlOf(object: object): string {
  return stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })
}
