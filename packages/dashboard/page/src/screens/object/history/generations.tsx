// The generations of an object in a table, newest first: who made each, when and with what; two of them are chosen to be compared.

import { type HistoryEntry, labelOf, type ObjectLife } from '@homeostat/meta/history'
import { Fragment } from 'react'
import { Age } from '../../../parts/age.tsx'
import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { revisionOf } from './history.tsx'

export interface GenerationsProps {
  readonly lives: readonly ObjectLife[]
  readonly chosen: readonly [from: string, to: string]
  readonly onChoose: (chosen: readonly [from: string, to: string]) => void
  /** Undefined when there is nothing to roll back. */
  readonly onRollBack: ((entry: HistoryEntry) => void) | undefined
  readonly whyNot: string | undefined
}

export function Generations({ lives, chosen: [from, to], onChoose, onRollBack, whyNot }: GenerationsProps) {
  const newest = lives.at(-1)
  return (
    <table className="generations">
      <thead>
        <tr>
          <th>Generation</th>
          <th>Change</th>
          <th>By</th>
          <th>With</th>
          <th>When</th>
          <th>From</th>
          <th>To</th>
          <th>
            <span className="hidden-text">Way back</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {lives.toReversed().map((life) => (
          <Fragment key={life.uid}>
            {lives.length > 1 && (
              <tr>
                <th colSpan={8} scope="rowgroup">
                  {life === newest ? 'The newest object' : 'An earlier object'} of this name, uid {life.uid}
                </th>
              </tr>
            )}
            {life.entries.toReversed().map((entry) => {
              const revision = revisionOf(entry)
              const label = labelOf(entry)
              return (
                <tr key={revision}>
                  <td>{label}</td>
                  <td>
                    {entry.change} {entry.current && <Badge>current</Badge>}
                    {entry.damage !== undefined && <Badge health="bad">{entry.damage}</Badge>}
                  </td>
                  <td>{entry.user}</td>
                  <td className="quiet">{entry.manager}</td>
                  <td>
                    <Age time={entry.time} />
                  </td>
                  <td>
                    <input
                      type="radio"
                      name="from"
                      aria-label={`Compare from generation ${label}`}
                      checked={revision === from}
                      disabled={entry.object === undefined}
                      onChange={() => onChoose([revision, to])}
                    />
                  </td>
                  <td>
                    <input
                      type="radio"
                      name="to"
                      aria-label={`Compare to generation ${label}`}
                      checked={revision === to}
                      disabled={entry.object === undefined}
                      onChange={() => onChoose([from, revision])}
                    />
                  </td>
                  <td className="way-back">
                    {onRollBack !== undefined && life === newest && !entry.current && entry.change !== 'deleted' && (
                      <Button
                        onPress={() => onRollBack(entry)}
                        label={`Roll back to generation ${label}`}
                        whyNot={entry.object === undefined ? 'What it was then is not kept any more.' : whyNot}
                      >
                        Roll back
                      </Button>
                    )}
                  </td>
                </tr>
              )
            })}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}
