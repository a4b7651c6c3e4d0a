// Somebody else changed the same fields meanwhile: by who owns them now, field by field, theirs or mine.

import { useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { yamlOf } from '../history/diff-view.tsx'
import { byOwner, type Conflict } from './changes.ts'

export interface ConflictDialogProps {
  readonly conflicts: readonly Conflict[]
  readonly onClose: () => void
  /** With those whose change is given up. */
  readonly onResolve: (taken: ReadonlySet<Conflict>) => void
}

type Side = 'theirs' | 'mine'

export function ConflictDialog({ conflicts, onClose, onResolve }: ConflictDialogProps) {
  const [chosen, setChosen] = useState<ReadonlyMap<Conflict, Side>>(new Map())
  const choose = (some: readonly Conflict[], side: Side) =>
    setChosen(new Map([...chosen, ...some.map((one) => [one, side] as const)]))
  const open = conflicts.filter((one) => !chosen.has(one)).length
  return (
    <Dialog
      wide
      title="Somebody else changed the same fields"
      onClose={onClose}
      buttons={
        <>
          <Button onPress={onClose}>Back to my text</Button>
          <Button
            look="main"
            whyNot={open > 0 ? `Choose for ${open === 1 ? 'one more field' : `${open} more fields`}.` : undefined}
            onPress={() => onResolve(new Set(conflicts.filter((one) => chosen.get(one) === 'theirs')))}
          >
            Go on
          </Button>
        </>
      }
    >
      <p className="quiet">
        Nothing was saved and nothing is lost. Fields that only one of you changed are merged already.
      </p>
      {byOwner(conflicts).map(({ owner, conflicts: some }) => (
        <section key={owner} className="conflict-owner" aria-label={`Fields of ${owner || 'nobody'}`}>
          <div className="toolbar">
            <strong>{owner === '' ? 'Owned by nobody' : `Now written by ${owner}`}</strong>
            <span className="space" />
            <Button onPress={() => choose(some, 'theirs')}>Take all theirs</Button>
            <Button onPress={() => choose(some, 'mine')}>Force all mine</Button>
          </div>
          {some.map((one) => (
            <fieldset key={one.path.join('.')} className="choices">
              <legend>
                <code>{one.path.join('.')}</code>
              </legend>
              {(['theirs', 'mine'] as const).map((side) => (
                <label key={side} className="conflict-side">
                  <span>
                    <input
                      type="radio"
                      name={one.path.join('.')}
                      checked={chosen.get(one) === side}
                      onChange={() => choose([one], side)}
                    />{' '}
                    {side === 'theirs' ? 'Take theirs' : 'Force mine'}
                  </span>
                  <pre>{shown(one[side])}</pre>
                </label>
              ))}
            </fieldset>
          ))}
        </section>
      ))}
    </Dialog>
  )
}

const MOST = 4000

function shown(value: unknown): string {
  if (value === undefined) return '(taken away)'
  const text = typeof value === 'object' && value !== null ? yamlOf(value) : JSON.stringify(value)
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text
}
