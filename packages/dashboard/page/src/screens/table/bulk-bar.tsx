// What can be done with the rows that are marked, in a bar that is there while some are.

import { useState } from 'react'
import type { Kind } from '../../kinds/kind.ts'
import type { Row } from '../../live/table-replica.ts'
import { Button } from '../../parts/button.tsx'
import { useWhyNot } from '../../parts/use-why-not.ts'
import { BulkDelete, BulkLabel, BulkProcesses } from './bulk-dialogs.tsx'

export interface BulkBarProps {
  readonly kind: Kind
  readonly rows: readonly Row[]
  /** The Phase of a row, where the kind shows one. */
  readonly phaseOf: (row: Row) => unknown
  readonly onClear: () => void
}

/** What is asked, of the rows that were marked then: they may go while the question is open, by its answer. */
interface Question {
  readonly about: 'delete' | 'label' | 'cancel' | 'rerun'
  readonly rows: readonly Row[]
}

export function BulkBar({ kind, rows, phaseOf, onClear }: BulkBarProps) {
  const [question, setQuestion] = useState<Question>()
  const namespaces = new Set(rows.map(({ namespace }) => namespace))
  // The rights in one namespace say nothing about those in another; the server decides for each object in the end.
  const [namespace] = namespaces.size === 1 ? namespaces : []
  const target = { group: kind.group, resource: kind.resource, namespace }
  const mayDelete = useWhyNot({ verb: 'delete', ...target })
  const mayPatch = useWhyNot({ verb: 'patch', ...target })
  const mayCreate = useWhyNot({ verb: 'create', ...target })
  const ask = (about: Question['about']) => setQuestion({ about, rows })
  const close = () => setQuestion(undefined)
  const isProcess = kind.group === 'colonies.io' && kind.resource === 'processes'
  if (question !== undefined) return <Asked kind={kind} question={question} phaseOf={phaseOf} onClose={close} />
  if (rows.length === 0) return null
  return (
    <div className="bulk-bar" role="toolbar" aria-label="What can be done with the marked rows">
      <strong aria-live="polite">{rows.length} marked</strong>
      {isProcess && (
        <>
          <Button onPress={() => ask('rerun')} whyNot={mayCreate}>
            Run again
          </Button>
          <Button onPress={() => ask('cancel')} whyNot={mayPatch}>
            Cancel
          </Button>
        </>
      )}
      <Button onPress={() => ask('label')} whyNot={unsupported(kind, 'patch') ?? mayPatch}>
        Label
      </Button>
      <Button look="danger" onPress={() => ask('delete')} whyNot={unsupported(kind, 'delete') ?? mayDelete}>
        Delete
      </Button>
      <span className="space" />
      <Button look="plain" onPress={onClear}>
        Clear
      </Button>
    </div>
  )
}

interface AskedProps extends Pick<BulkBarProps, 'kind' | 'phaseOf'> {
  readonly question: Question
  readonly onClose: () => void
}

function Asked({ kind, question: { about, rows }, phaseOf, onClose }: AskedProps) {
  if (about === 'delete') return <BulkDelete kind={kind} rows={rows} onClose={onClose} />
  if (about === 'label') return <BulkLabel kind={kind} rows={rows} onClose={onClose} />
  return <BulkProcesses what={about} rows={rows} phaseOf={phaseOf} onClose={onClose} />
}

function unsupported({ verbs, kind }: Kind, verb: string): string | undefined {
  return verbs.includes(verb) ? undefined : `The server has no ${verb} for a ${kind}.`
}
