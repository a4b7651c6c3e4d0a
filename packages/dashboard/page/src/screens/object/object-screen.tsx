// One object: how it is and what one can do with it, and by tab everything that is known of it.

import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useRef } from 'react'
import { useScreenKeys } from '../../app/keys/screen-keys.ts'
import { kindTab } from '../../app/kind-tabs.ts'
import { NONE } from '../../app/none.ts'
import type { Kind, ObjectName } from '../../kinds/kind.ts'
import { servedKinds } from '../../kinds/served-kinds.ts'
import { type LiveObject, type ObjectState, useObject } from '../../live/object.ts'
import { useShown } from '../../live/shown.ts'
import { Badge } from '../../parts/badge.tsx'
import { Banner } from '../../parts/banner.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Actions } from './actions/actions.tsx'
import './object.css'
import { healthWord, objectHealth } from './summary/reason.ts'
import { Summary } from './summary/summary.tsx'

const Yaml = lazy(() => import('./yaml/yaml.tsx').then(({ Yaml }) => ({ default: Yaml })))
const Editor = lazy(() => import('./editor/edit-tab.tsx').then(({ EditTab }) => ({ default: EditTab })))
const Tree = lazy(() => import('./tree/tree.tsx').then(({ Tree }) => ({ default: Tree })))
const History = lazy(() => import('./history/history.tsx').then(({ History }) => ({ default: History })))
const Why = lazy(() => import('./why/why.tsx').then(({ Why }) => ({ default: Why })))
const Logs = lazy(() => import('./logs/logs.tsx').then(({ Logs }) => ({ default: Logs })))

const route = getRouteApi('/objects/$group/$version/$resource/$namespace/$name')
const TABS: readonly string[] = ['summary', 'tree', 'yaml', 'edit', 'history', 'why', 'logs']
/** What can be said of an object that is gone, or that was never seen. */
const OF_GONE = ['summary', 'yaml', 'history', 'why']

export function ObjectScreen() {
  const { group, version, resource, namespace, name } = route.useParams()
  const kind = useShown(servedKinds)?.find(group === NONE ? '' : group, version, resource)
  if (kind === undefined)
    return (
      <Banner>
        The server does not serve {resource} in {group}/{version}. Its definition may have been deleted.
      </Banner>
    )
  const of = { namespace: namespace === NONE ? undefined : namespace, name }
  return <ShownObject key={`${kind.group}/${resource}/${namespace}/${name}`} kind={kind} of={of} />
}

function ShownObject({ kind, of }: { readonly kind: Kind; readonly of: ObjectName }) {
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const state = useObject(kind, of)
  const { object, phase, trouble } = state
  const isGone = phase === 'gone' || phase === 'missing'
  const own = kindTab(kind)
  const live = own === undefined ? TABS : [own.name, ...TABS]
  // Whoever was writing when it went keeps the text.
  const wasEditing = useRef(false)
  const ofGone = wasEditing.current ? [...OF_GONE, 'edit'] : OF_GONE
  const names = object === undefined ? ['history', 'why'] : isGone ? ofGone : live
  const chosen = tab !== undefined && names.includes(tab) ? tab : (names[0] ?? 'summary')
  if (!isGone) wasEditing.current = chosen === 'edit'
  const choose = (next: string) =>
    void navigate({
      // What narrows one tab says nothing of the others.
      search: ({ ns }) => ({ ns, tab: next === names[0] ? undefined : next }) as never,
      replace: true,
    })
  useScreenKeys([
    { key: 'd', help: 'describe it', act: () => choose('summary') },
    { key: 'y', help: 'its YAML', act: () => choose('yaml') },
    { key: 'e', help: 'edit it', act: () => choose('edit') },
    { key: 'l', help: 'its logs', act: () => choose('logs') },
  ])
  return (
    <div className="screen">
      <div className="object-head">
        <h1>
          {of.name}{' '}
          <small>
            {kind.kind}
            {of.namespace === undefined ? '' : ` in ${of.namespace}`}
          </small>
        </h1>
        {object !== undefined && !isGone && <HowItIs object={object} />}
        <span className="space" />
        {object !== undefined && <Actions kind={kind} of={of} object={object} isGone={isGone} />}
      </div>
      {phase === 'missing' && object === undefined && (
        <Empty title={`There is no ${kind.kind} ${of.name}`}>
          <p>If it is created, it shows here. Its history tells whether there was one.</p>
        </Empty>
      )}
      {isGone && object !== undefined && (
        <Banner tone="busy">
          It was deleted. This is the last state that was seen; its history may make it again.
        </Banner>
      )}
      {trouble !== undefined && <Banner>{trouble.message}</Banner>}
      {phase === 'loading' && trouble === undefined && <p role="status">Loading …</p>}
      {phase !== 'loading' && (
        <Tabs names={names} chosen={chosen} onChoose={choose}>
          <Suspense fallback={<p role="status">Loading …</p>}>
            <Part tab={chosen} kind={kind} of={of} state={state} />
          </Suspense>
        </Tabs>
      )}
    </div>
  )
}

interface PartProps {
  readonly tab: string
  readonly kind: Kind
  readonly of: ObjectName
  readonly state: ObjectState
}

function Part({ tab, kind, of, state: { object, phase } }: PartProps) {
  const live = phase === 'live' ? object : undefined
  if (tab === 'history') return <History kind={kind} of={of} object={live} />
  if (tab === 'why') return <Why kind={kind} of={of} revision={whyRevision(object)} />
  if (object === undefined) return null
  const own = kindTab(kind)
  if (own !== undefined && tab === own.name) return <own.Part object={object} />
  if (tab === 'tree') return <Tree object={object} />
  if (tab === 'yaml') return <Yaml object={object} />
  if (tab === 'edit') return <Editor kind={kind} of={of} object={object} isGone={live === undefined} />
  if (tab === 'logs') return <Logs kind={kind} object={object} />
  return <Summary kind={kind} object={object} />
}

/** A status that changes each second is no new story. */
function whyRevision(object: LiveObject | undefined): string {
  const { uid = '', generation, resourceVersion } = object?.metadata ?? {}
  return `${uid} ${generation ?? resourceVersion}`
}

function HowItIs({ object }: { readonly object: LiveObject }) {
  const word = healthWord(object)
  return word === undefined ? null : <Badge health={objectHealth(object)}>{word}</Badge>
}
