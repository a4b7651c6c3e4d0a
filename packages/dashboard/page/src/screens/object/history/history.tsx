// What the object was asked to be, by whom and when; the difference between any two of these; and the way back to one of them.

import { type HistoryEntry, labelOf, type ObjectHistory } from '@homeostat/meta/history'
import { useState } from 'react'
import type { Kind, ObjectName } from '../../../kinds/kind.ts'
import type { LiveObject } from '../../../live/object.ts'
import { Banner } from '../../../parts/banner.tsx'
import { Button } from '../../../parts/button.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { useWhyNot } from '../../../parts/use-why-not.ts'
import { useObjectSearch } from '../use-object-search.ts'
import { DiffView } from './diff-view.tsx'
import { Generations } from './generations.tsx'
import { NoHistory } from './read-history.ts'
import { RestoreDialog } from './restore-dialog.tsx'
import { useHistory } from './use-history.ts'

export interface HistoryProps {
  readonly kind: Kind
  readonly of: ObjectName
  /** The object as it is; undefined once it is gone. */
  readonly object: LiveObject | undefined
}

export function History({ kind, of, object }: HistoryProps) {
  const [read, again] = useHistory(kind, of, object)
  if (read === undefined) return <p role="status">Reading the history …</p>
  if ('error' in read) return <Missing error={read.error} onTry={again} />
  return <Lives kind={kind} of={of} object={object} history={read.history} onDone={again} />
}

function Missing({ error, onTry }: { readonly error: Error; readonly onTry: () => void }) {
  if (error instanceof NoHistory)
    return (
      <Empty title="There is no history here">
        <p>{error.message} The summary shows who manages which field, and since when.</p>
      </Empty>
    )
  return (
    <Banner>
      The history could not be read: {error.message} <Button onPress={onTry}>Try again</Button>
    </Banner>
  )
}

interface LivesProps extends HistoryProps {
  readonly history: ObjectHistory
  readonly onDone: () => void
}

/** Two entries to compare, by their revisions. */
type Chosen = readonly [from: string, to: string]

function Lives({ kind, of, object, history, onDone }: LivesProps) {
  const entries = history.lives.flatMap((life) => life.entries)
  const newest = entries.filter(hasObject).slice(-2)
  const [{ from, to }, change] = useObjectSearch()
  const [asked, setAsked] = useState<HistoryEntry>()
  const [said, setSaid] = useState<string>()
  const on = { group: kind.group, resource: kind.resource, namespace: of.namespace, name: of.name }
  const mayUpdate = useWhyNot({ verb: 'update', ...on })
  const mayCreate = useWhyNot({ verb: 'create', group: kind.group, resource: kind.resource, namespace: of.namespace })
  const pair: Chosen = [from ?? revisionOf(newest[0]), to ?? revisionOf(newest[1] ?? newest[0])]
  const [before, after] = pair.map((revision) => entries.find((entry) => revisionOf(entry) === revision))
  const last = entries.at(-1)
  const isDeleted = last?.change === 'deleted'

  if (last === undefined) return <Empty title="Nothing is kept of it yet" />
  return (
    <div className="object-part">
      {said !== undefined && (
        <p role="status" className="banner good">
          {said}
        </p>
      )}
      {isDeleted && object === undefined && (
        <Banner tone="busy">
          It was deleted{last.user === undefined ? '' : ` by ${last.user}`}.
          <Button
            look="main"
            onPress={() => setAsked(last)}
            whyNot={last.object ? mayCreate : 'It is not kept any more.'}
          >
            Undelete
          </Button>
        </Banner>
      )}
      <Panel title="Generations" flush>
        <Generations
          lives={history.lives}
          chosen={pair}
          onChoose={([from, to]) => change({ from, to })}
          onRollBack={isDeleted ? undefined : setAsked}
          whyNot={mayUpdate}
        />
      </Panel>
      {before?.object !== undefined && after?.object !== undefined && before !== after && (
        <Panel
          title={`What changed from ${labelOf(before)} to ${labelOf(after)}${after.user ? `, by ${after.user}` : ''}`}
        >
          <DiffView before={before.object} after={after.object} label="Differences" />
        </Panel>
      )}
      {asked !== undefined && (
        <RestoreDialog
          kind={kind}
          of={of}
          object={isDeleted ? undefined : object}
          entry={asked}
          onClose={() => setAsked(undefined)}
          onDone={(done) => {
            setSaid(done)
            setAsked(undefined)
            change({ from: undefined, to: undefined })
            onDone()
          }}
        />
      )}
    </div>
  )
}

function hasObject({ object }: HistoryEntry): boolean {
  return object !== undefined
}

/** A deletion has the revision of its own. */
export function revisionOf(entry: HistoryEntry | undefined): string {
  return entry === undefined ? '' : `${entry.resourceVersion}-${entry.change}`
}
