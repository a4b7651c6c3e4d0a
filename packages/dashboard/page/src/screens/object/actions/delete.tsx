// Asks before an object is deleted: what is deleted with it, and which name is meant.

import { useState } from 'react'
import { client } from '../../../connection/client.ts'
import { apiVersionOf, type Kind, type ObjectName } from '../../../kinds/kind.ts'
import type { LiveObject } from '../../../live/object.ts'
import { Banner } from '../../../parts/banner.tsx'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'

const POLICIES = {
  Background: 'Delete it now; what it owns follows in the background',
  Foreground: 'Delete what it owns first, and it last',
  Orphan: 'Delete it alone; what it owns stays',
} as const

type Policy = keyof typeof POLICIES

export interface DeleteProps {
  readonly kind: Kind
  readonly of: ObjectName
  readonly object: LiveObject
  readonly onClose: () => void
}

export function Delete({ kind, of, object, onClose }: DeleteProps) {
  const [policy, setPolicy] = useState<Policy>('Background')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const { finalizers = [], uid } = object.metadata

  async function remove() {
    setBusy(true)
    try {
      // Of this very object: one that was made anew under its name meanwhile is another.
      const options = { propagationPolicy: policy, preconditions: { uid } }
      await client
        .resourceOf(apiVersionOf(kind), kind.kind)
        .delete({ name: of.name, ...(of.namespace && { namespace: of.namespace }) }, options)
      onClose()
    } catch (error) {
      setProblem((error as Error).message)
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={`Delete ${kind.kind} ${of.name}?`}
      onClose={onClose}
      buttons={
        <>
          <Button onPress={onClose}>Keep it</Button>
          <Button look="danger" onPress={() => void remove()} whyNot={busy ? 'It is being deleted …' : undefined}>
            Delete {of.name}
          </Button>
        </>
      }
    >
      {of.namespace !== undefined && <p className="quiet">In namespace {of.namespace}.</p>}
      <fieldset className="choices">
        <legend>What it owns</legend>
        {Object.entries(POLICIES).map(([name, text]) => (
          <label key={name}>
            <input type="radio" name="policy" checked={policy === name} onChange={() => setPolicy(name as Policy)} />{' '}
            {text}
          </label>
        ))}
      </fieldset>
      {finalizers.length > 0 && (
        <Banner tone="plain">It goes when its finalizers are done: {finalizers.join(', ')}.</Banner>
      )}
      {problem !== undefined && <Banner>{problem}</Banner>}
    </Dialog>
  )
}
