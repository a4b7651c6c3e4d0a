// The questions before many objects are changed. Each change is of the very object that was seen: one that was made anew meanwhile is left.

import { useState } from 'react'
import { client } from '../../connection/client.ts'
import { apiVersionOf, type Kind } from '../../kinds/kind.ts'
import type { Row } from '../../live/table-replica.ts'
import { BulkDialog } from '../../parts/bulk/bulk-dialog.tsx'
import { cancelProcess, rerunProcess, whyNotCancel, whyNotRerun } from '../../parts/colony/process-calls.ts'
import { useWhyNot } from '../../parts/use-why-not.ts'
import { readLabels } from './read-labels.ts'

interface BulkProps {
  readonly kind: Kind
  readonly rows: readonly Row[]
  readonly onClose: () => void
}

export function BulkDelete({ kind, rows, onClose }: BulkProps) {
  const objects = client.resourceOf(apiVersionOf(kind), kind.kind)
  const [first] = rows
  // By key it is asked without the button that knows.
  const why = useWhyNot({ verb: 'delete', group: kind.group, resource: kind.resource, namespace: first?.namespace })
  return (
    <BulkDialog
      verb="Delete"
      nouns={nounsOf(kind)}
      danger
      items={rows}
      nameOf={fullNameOf}
      missing={why}
      act={(row) => objects.delete(placeOf(row), { propagationPolicy: 'Background', preconditions: { uid: row.uid } })}
      onClose={onClose}
    />
  )
}

export function BulkLabel({ kind, rows, onClose }: BulkProps) {
  const [text, setText] = useState('')
  const { labels, problem } = readLabels(text)
  const objects = client.resourceOf(apiVersionOf(kind), kind.kind)
  return (
    <BulkDialog
      verb="Label"
      nouns={nounsOf(kind)}
      items={rows}
      nameOf={fullNameOf}
      act={(row) => objects.patch(placeOf(row), { metadata: { uid: row.uid, labels } })}
      missing={problem}
      onClose={onClose}
    >
      <label className="stacked">
        Labels to set, and with a minus behind them to remove
        <input value={text} placeholder="team=vision old-" onChange={(event) => setText(event.target.value)} />
      </label>
      {text !== '' && problem !== undefined && (
        <p role="alert" className="bad">
          {problem}
        </p>
      )}
    </BulkDialog>
  )
}

export interface BulkProcessesProps {
  readonly what: 'cancel' | 'rerun'
  readonly rows: readonly Row[]
  readonly phaseOf: (row: Row) => unknown
  readonly onClose: () => void
}

export function BulkProcesses({ what, rows, phaseOf, onClose }: BulkProcessesProps) {
  const whyNot = (row: Row) =>
    what === 'cancel' ? whyNotCancel(phaseOf(row)) : whyNotRerun(phaseOf(row), row.metadata.labels)
  // As they were when the question was asked: what ends meanwhile is refused or harmless.
  const [{ able, leftOut }] = useState(() => split(rows, whyNot))
  const act = what === 'cancel' ? cancelProcess : rerunProcess
  return (
    <BulkDialog
      verb={what === 'cancel' ? 'Cancel' : 'Run again'}
      nouns="Processes"
      danger={what === 'cancel'}
      items={able}
      leftOut={leftOut}
      nameOf={fullNameOf}
      act={({ namespace = '', name }) => act({ namespace, name })}
      onClose={onClose}
    />
  )
}

function split(rows: readonly Row[], whyNot: (row: Row) => string | undefined) {
  const able = rows.filter((row) => whyNot(row) === undefined)
  const reasons = new Map<string, number>()
  for (const row of rows) {
    const why = whyNot(row)
    if (why !== undefined) reasons.set(why, (reasons.get(why) ?? 0) + 1)
  }
  return { able, leftOut: [...reasons].map(([why, count]) => ({ why, count })) }
}

function placeOf({ namespace, name }: Row) {
  return namespace === undefined ? { name } : { namespace, name }
}

function fullNameOf({ namespace, name }: Row): string {
  return namespace === undefined ? name : `${namespace}/${name}`
}

const nounsOf = ({ resource }: Kind) => resource
