// Executors that joined with a token and wait for somebody to let them in.

import { useState } from 'react'
import type { Kind } from '../../kinds/kind.ts'
import { servedKinds } from '../../kinds/served-kinds.ts'
import { useShown } from '../../live/shown.ts'
import { useTables } from '../../live/use-table.ts'
import { Age } from '../../parts/age.tsx'
import { Banner } from '../../parts/banner.tsx'
import { Button } from '../../parts/button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useWhyNot } from '../../parts/use-why-not.ts'
import { approveExecutor, rejectExecutor } from './approve.ts'
import { type Candidate, candidates } from './executor-lines.ts'

const OF_EXECUTORS = { labelSelector: 'colonies.io/executor' }

export interface CandidatesProps {
  readonly namespaces: readonly (string | undefined)[]
}

export function Candidates({ namespaces }: CandidatesProps) {
  const served = useShown(servedKinds)
  const accounts = served?.find('', 'v1', 'serviceaccounts')
  const bindings = served?.find('rbac.authorization.k8s.io', 'v1', 'rolebindings')
  if (accounts === undefined || bindings === undefined) return null
  return <Waiting namespaces={namespaces} accounts={accounts} bindings={bindings} />
}

function Waiting({ namespaces, ...kinds }: CandidatesProps & { readonly accounts: Kind; readonly bindings: Kind }) {
  const accounts = useTables(kinds.accounts, namespaces, OF_EXECUTORS).state
  const bindings = useTables(kinds.bindings, namespaces, OF_EXECUTORS).state
  const [problem, setProblem] = useState<string>()
  // Without the bindings everybody would seem to wait.
  if (accounts.phase !== 'live' || bindings.phase !== 'live') return null
  const waiting = candidates(accounts.rows, bindings.rows)
  if (waiting.length === 0) return null
  return (
    <Panel title={`Waiting for an approval: ${waiting.length}`} flush>
      {problem !== undefined && <Banner>{problem}</Banner>}
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Namespace</th>
            <th>Type</th>
            <th>Joined</th>
            <th>Decision</th>
          </tr>
        </thead>
        <tbody>
          {waiting.map((one) => (
            <tr key={one.key}>
              <td>{one.name}</td>
              <td>{one.namespace}</td>
              <td>{one.type}</td>
              <td>
                <Age time={one.since} />
              </td>
              <td>
                <Decision candidate={one} onProblem={setProblem} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

interface DecisionProps {
  readonly candidate: Candidate
  readonly onProblem: (problem: string | undefined) => void
}

function Decision({ candidate, onProblem }: DecisionProps) {
  const { namespace, name } = candidate
  const mayApprove = useWhyNot({
    verb: 'create',
    group: 'rbac.authorization.k8s.io',
    resource: 'rolebindings',
    namespace,
  })
  const mayReject = useWhyNot({ verb: 'delete', group: '', resource: 'serviceaccounts', namespace })
  const trying = (act: (candidate: Candidate) => Promise<void>) => {
    onProblem(undefined)
    act(candidate).catch((error: Error) => onProblem(`${name}: ${error.message}`))
  }
  return (
    <span className="toolbar">
      <Button label={`Approve ${name}`} whyNot={mayApprove} onPress={() => trying(approveExecutor)}>
        Approve
      </Button>
      <Button look="danger" label={`Reject ${name}`} whyNot={mayReject} onPress={() => trying(rejectExecutor)}>
        Reject
      </Button>
    </span>
  )
}
