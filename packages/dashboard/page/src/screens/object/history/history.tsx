// What the object was asked to be, by whom and when; the difference between any two of these; and the way back to one of them.

import { type HistoryEntry, labelOf, type ObjectHistory } from '@homeostat/meta/history'
import { useEffect, useState } from 'react'
import type { Kind, ObjectName } from '../../../kinds/kind.ts'
import { servedKinds } from '../../../kinds/served-kinds.ts'
import type { LiveObject } from '../../../live/object.ts'
import { Banner } from '../../../parts/banner.tsx'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { useWhyNot } from '../use-why-not.ts'
import { DiffView } from './diff-view.tsx'
import { Generations } from './generations.tsx'
import { NoHistory, readHistory } from './read-history.ts'
import { rollBack, undelete } from './restore.ts'

export interface HistoryProps {
  readonly kind: Kind
  readonly of: ObjectName
  /** The object as it is; undefined once it is gone. */
  readonly object: LiveObject | undefined
}

type Read = { readonly history: ObjectHistory } | { readonly error: Error } | undefined

export function History({ kind, of, object }: HistoryProps) {
  const [read, setRead] = useState<Read>()
  const [again, setAgain] = useState(0)
  const revision = `${object?.metadata.generation ?? object?.metadata.resourceVersion ?? 'gone'} ${again}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: read anew when the object has changed
  useEffect(() => {
    const ending = new AbortController()
    readHistory(kind, of, ending.signal).then(
      (history) => setRead({ history }),
      (error: Error) => {
        if (!ending.signal.aborted) setRead({ error })
      },
    )
    return () => ending.abort()
  }, [kind, of.namespace, of.name, revision])
  if (read === undefined) return <p role="status">Reading the history …</p>
  if ('error' in read) return <Missing error={read.error} onTry={() => setAgain(again + 1)} />
  return <Lives kind={kind} of={of} object={object} history={read.history} onDone={() => setAgain(again + 1)} />
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
  const [chosen, setChosen] = useState<Chosen>()
  const [asked, setAsked] = useState<HistoryEntry>()
  const [said, setSaid] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const on = { group: kind.group, resource: kind.resource, namespace: of.namespace, name: of.name }
  const mayUpdate = useWhyNot({ verb: 'update', ...on })
  const mayCreate = useWhyNot({ verb: 'create', group: kind.group, resource: kind.resource, namespace: of.namespace })
  const pair: Chosen = chosen ?? [revisionOf(newest[0]), revisionOf(newest[1] ?? newest[0])]
  const [before, after] = pair.map((revision) => entries.find((entry) => revisionOf(entry) === revision))
  const last = entries.at(-1)
  const isDeleted = last?.change === 'deleted'

  async function restore(entry: HistoryEntry) {
    setAsked(undefined)
    try {
      const kinds = servedKinds.value
      const done = isDeleted && kinds !== undefined ? undelete(kinds, kind, of, entry) : rollBack(kind, of, entry)
      setSaid(await done)
      setProblem(undefined)
      setChosen(undefined)
      onDone()
    } catch (error) {
      setProblem((error as Error).message)
    }
  }

  if (last === undefined) return <Empty title="Nothing is kept of it yet" />
  return (
    <div className="object-part">
      {said !== undefined && (
        <p role="status" className="banner good">
          {said}
        </p>
      )}
      {problem !== undefined && <Banner>{problem}</Banner>}
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
          onChoose={setChosen}
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
      {asked?.object !== undefined && (
        <Dialog
          wide
          title={isDeleted ? `Make ${of.name} again?` : `Roll ${of.name} back to ${labelOf(asked)}?`}
          onClose={() => setAsked(undefined)}
          buttons={
            <>
              <Button onPress={() => setAsked(undefined)}>Cancel</Button>
              <Button look="main" onPress={() => void restore(asked)}>
                {isDeleted ? 'Undelete' : 'Roll back'}
              </Button>
            </>
          }
        >
          <p className="quiet">
            {isDeleted
              ? 'A new object like the deleted one is created, without its status and finalizers.'
              : 'This is an ordinary update, checked like any other: it makes a new generation and overwrites nobody who is faster.'}
          </p>
          {object !== undefined && <DiffView before={object} after={asked.object} label="What the rollback changes" />}
        </Dialog>
      )}
    </div>
  )
}

function hasObject({ object }: HistoryEntry): boolean {
  return object !== undefined
}

/** A deletion has the revision of its own. */
export function revisionOf(entry: HistoryEntry | undefined): string {
  return entry === undefined ? '' : `${entry.resourceVersion} ${entry.change}`
}
