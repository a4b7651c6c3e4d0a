// What a server without custom objects shows: a tour with commands to paste. A step that is done has a tick, whoever did it.

import type { ReactNode } from 'react'
import type { Kind } from '../../kinds/kind.ts'
import { servedKinds } from '../../kinds/served-kinds.ts'
import { useShown } from '../../live/shown.ts'
import { useTable } from '../../live/use-table.ts'
import { CopyText } from '../../parts/copy-text.tsx'

const DEFINITION = `kubectl apply -f - <<'YAML'
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: gardens.example.com }
spec:
  group: example.com
  names: { kind: Garden, plural: gardens }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
YAML`

const OBJECT = `kubectl apply -f - <<'YAML'
apiVersion: example.com/v1
kind: Garden
metadata: { name: roses, namespace: default }
spec: { size: 3 }
YAML`

export function FirstSteps() {
  const kinds = useShown(servedKinds)
  const isDeclared = kinds?.all.some(({ group }) => group.includes('.') && !isOurs(group)) === true
  const processes = kinds?.find('colonies.io', 'v1', 'processes')
  const executors = kinds?.find('colonies.io', 'v1', 'executors')
  return (
    <div className="screen">
      <h1>Nothing is here yet</h1>
      <p className="quiet">Each step shows here at once, and stays ticked.</p>
      <ol className="steps">
        <Step title="Declare a kind" done={isDeclared} command={DEFINITION}>
          From then on the server serves, validates and watches it; it is in the list on the left.
        </Step>
        <Step title="Create an object of it" done={false} command={OBJECT}>
          The overview takes the place of this tour when there is one.
        </Step>
        {processes !== undefined && executors !== undefined && (
          <>
            <CountedStep
              kind={processes}
              title="Submit work"
              command="homeostat process submit echo --type demo --arg hello"
            >
              A Process waits in the queue until an executor takes it: see Queue.
            </CountedStep>
            <CountedStep kind={executors} title="Be an executor" command="homeostat executor run --type demo">
              It takes the Process and answers; in a program of yours it is a few lines.
            </CountedStep>
          </>
        )}
        <Step title="Write an operator" done={false} command="npm create homeostat@latest my-operator">
          A project with a kind, a reconcile function and tests; in it, <code>npx homeostat dev</code> starts it again
          when you save.
        </Step>
      </ol>
    </div>
  )
}

function isOurs(group: string): boolean {
  return group.endsWith('.k8s.io') || group === 'colonies.io' || group.endsWith('homeostat.io')
}

interface StepProps {
  readonly title: string
  readonly done: boolean
  readonly command: string
  readonly children: ReactNode
}

function Step({ title, done, command, children }: StepProps) {
  return (
    <li className={done ? 'panel done' : 'panel'}>
      <h2>
        {title}
        {done && <span className="good"> ✓ done</span>}
      </h2>
      <p className="quiet">{children}</p>
      <div>
        <CopyText text={command} />
      </div>
    </li>
  )
}

function CountedStep({ kind, ...step }: Omit<StepProps, 'done'> & { readonly kind: Kind }) {
  const { rows } = useTable(kind, {})
  return <Step {...step} done={rows.length > 0} />
}
