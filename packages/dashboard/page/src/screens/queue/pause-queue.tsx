// Stops the queue of one namespace from giving out work, and lets it go on: an annotation of the namespace, which the colony obeys.

import { PAUSED_ANNOTATION } from '@homeostat/executor/protocol'
import { useState } from 'react'
import { client } from '../../connection/client.ts'
import type { Kind } from '../../kinds/kind.ts'
import { servedKinds } from '../../kinds/served-kinds.ts'
import { useShown } from '../../live/shown.ts'
import { useTable } from '../../live/use-table.ts'
import { Banner } from '../../parts/banner.tsx'
import { Button } from '../../parts/button.tsx'
import { useWhyNot } from '../../parts/use-why-not.ts'

export function PauseQueue({ namespaces }: { readonly namespaces: readonly (string | undefined)[] }) {
  const kind = useShown(servedKinds)?.find('', 'v1', 'namespaces')
  return kind === undefined ? null : <Paused kind={kind} namespaces={namespaces} />
}

function Paused({ kind, namespaces }: { readonly kind: Kind; readonly namespaces: readonly (string | undefined)[] }) {
  const { rows } = useTable(kind, {})
  const shown = rows.filter(({ name }) => namespaces.includes(undefined) || namespaces.includes(name))
  const paused = shown.filter(({ metadata }) => metadata.annotations?.[PAUSED_ANNOTATION] === 'true')
  const [only] = namespaces.length === 1 ? namespaces : []
  return (
    <>
      {paused.map(({ name }) => (
        <Banner key={name} tone="busy">
          The queue of {name} is paused: nothing is given out, what runs goes on.
          <span className="space" />
          <Switch namespace={name} pause={false} />
        </Banner>
      ))}
      {only !== undefined && paused.length === 0 && (
        <div className="toolbar">
          <Switch namespace={only} pause />
        </div>
      )}
    </>
  )
}

function Switch({ namespace, pause }: { readonly namespace: string; readonly pause: boolean }) {
  const why = useWhyNot({ verb: 'patch', group: '', resource: 'namespaces', name: namespace })
  const [problem, setProblem] = useState<string>()
  const patch = { metadata: { annotations: { [PAUSED_ANNOTATION]: pause ? 'true' : null } } }
  const press = () => {
    client
      .resourceOf('v1', 'Namespace')
      .patch({ name: namespace }, patch)
      .then(
        () => setProblem(undefined),
        (error: Error) => setProblem(error.message),
      )
  }
  return (
    <>
      <Button whyNot={why} onPress={press}>
        {pause ? `Pause the queue of ${namespace}` : 'Go on'}
      </Button>
      {problem !== undefined && <span role="alert">{problem}</span>}
    </>
  )
}
