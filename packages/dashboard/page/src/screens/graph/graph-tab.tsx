// A graph of Processes while it runs: how many nodes are in which phase, which failed, and its drawing, which is loaded with it.

import type { NodePhase, ProcessGraph } from '@homeostat/executor/graphs'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { client } from '../../connection/client.ts'
import type { Kind } from '../../kinds/kind.ts'
import { servedKinds } from '../../kinds/served-kinds.ts'
import type { LiveObject } from '../../live/object.ts'
import { useShown } from '../../live/shown.ts'
import { Badge } from '../../parts/badge.tsx'
import { Banner } from '../../parts/banner.tsx'
import { Button } from '../../parts/button.tsx'
import { useWhyNot } from '../../parts/use-why-not.ts'
import { FailedNodes } from './failed-nodes.tsx'
import { NodeDetail } from './node-detail.tsx'
import { NodeTimes } from './node-times.tsx'
import { PHASE_LOOKS } from './phase-looks.ts'
import { useGraphNodes } from './use-graph-nodes.ts'
import './graph.css'

const Drawing = lazy(() => import('./drawing.tsx').then(({ Drawing }) => ({ default: Drawing })))
const PHASES = Object.keys(PHASE_LOOKS) as NodePhase[]
const PLACE = { group: 'colonies.io', version: 'v1', resource: 'processgraphs' } as const

export function GraphTab({ object }: { readonly object: LiveObject }) {
  const processes = useShown(servedKinds)?.find('colonies.io', 'v1', 'processes')
  if (processes === undefined) return <Banner>The server does not serve Processes.</Banner>
  return <Shown graph={object as unknown as ProcessGraph} processes={processes} />
}

function Shown({ graph, processes }: { readonly graph: ProcessGraph; readonly processes: Kind }) {
  const found = useGraphNodes(graph, processes)
  const [chosen, setChosen] = useState<string>()
  const nodes = found?.nodes
  const counts = useMemo(() => Map.groupBy(nodes ?? [], ({ phase }) => phase), [nodes])
  return (
    <div className="screen graph-tab">
      <div className="toolbar">
        {PHASES.map((phase) => {
          const count = counts.get(phase)?.length ?? 0
          return count === 0 ? null : (
            <Badge key={phase} health={PHASE_LOOKS[phase].health}>
              {count} {phase.toLowerCase()}
            </Badge>
          )
        })}
        <span className="space" />
        <Actions graph={graph} />
      </div>
      {found?.problem !== undefined && <Banner>{found.problem}</Banner>}
      {nodes === undefined ? (
        <p role="status">Reading the nodes …</p>
      ) : (
        <>
          <FailedNodes nodes={counts.get('Failed') ?? []} onChoose={setChosen} />
          <Suspense fallback={<p role="status">Drawing …</p>}>
            <Drawing nodes={nodes} chosen={chosen} onChoose={setChosen} />
          </Suspense>
          {chosen !== undefined && (
            <NodeDetail
              namespace={graph.metadata.namespace ?? ''}
              state={nodes.find(({ node }) => node.name === chosen)}
              onClose={() => setChosen(undefined)}
            />
          )}
          <NodeTimes nodes={nodes} />
        </>
      )}
    </div>
  )
}

function Actions({ graph }: { readonly graph: ProcessGraph }) {
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string>()
  const { namespace = '', name = '' } = graph.metadata
  const over = graph.status?.finishedAt !== undefined
  const mayPatch = useWhyNot({ verb: 'patch', group: PLACE.group, resource: PLACE.resource, namespace, name })
  const mayRerun = useWhyNot({
    verb: 'create',
    group: PLACE.group,
    resource: PLACE.resource,
    subresource: 'rerun',
    namespace,
    name,
  })
  const graphs = client.resourceOf<ProcessGraph>('colonies.io/v1', 'ProcessGraph')
  async function rerun() {
    const path = `/apis/colonies.io/v1/namespaces/${namespace}/processgraphs/${name}/rerun`
    const headers = { 'Content-Type': 'application/json' }
    const made = (await client.requestJson({ method: 'POST', path, headers, body: '{}' })) as ProcessGraph
    await navigate({
      to: '/objects/$group/$version/$resource/$namespace/$name',
      params: { ...PLACE, namespace, name: made.metadata.name ?? '' },
      search: (old) => (old.ns === undefined ? {} : { ns: old.ns }),
    })
  }
  const trying = (act: () => Promise<unknown>) => {
    setProblem(undefined)
    act().catch((error: Error) => setProblem(error.message))
  }
  return (
    <>
      {problem !== undefined && <Banner>{problem}</Banner>}
      <Button whyNot={over ? mayRerun : 'It has not ended; it can be cancelled.'} onPress={() => trying(rerun)}>
        Run again from where it failed
      </Button>
      <Button
        look="danger"
        whyNot={over ? 'It has ended already.' : mayPatch}
        onPress={() => trying(() => graphs.patch({ namespace, name }, { spec: { cancel: true } }))}
      >
        Cancel
      </Button>
    </>
  )
}
