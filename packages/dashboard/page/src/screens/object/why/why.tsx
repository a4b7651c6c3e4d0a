// Why the object is as it is: which change, by whom, made which controller run, and what that wrote. The story is the one that
// `homeostat why` tells.

import { changeText, type RunStep, type Step, shownObject, type TriggerStep, writesText } from '@homeostat/meta/history'
import { useEffect, useState } from 'react'
import type { Kind, ObjectName } from '../../../kinds/kind.ts'
import { servedKinds } from '../../../kinds/served-kinds.ts'
import { useShown } from '../../../live/shown.ts'
import { Age } from '../../../parts/age.tsx'
import { Banner } from '../../../parts/banner.tsx'
import { Button } from '../../../parts/button.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { ObjectLink } from '../../../parts/object-link.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { readStory, type Story } from '../history/read-history.ts'

/** The newest steps; older ones are told by the command. */
const SHOWN = 100
const SHOWN_TRIGGERS = 3

type Told = { readonly story: Story } | { readonly error: Error } | undefined

export function Why({
  kind,
  of,
  revision,
}: {
  readonly kind: Kind
  readonly of: ObjectName
  readonly revision: string
}) {
  const kinds = useShown(servedKinds)
  const [told, setTold] = useState<Told>()
  const [again, setAgain] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: told anew when the object has changed, or when asked
  useEffect(() => {
    if (kinds === undefined) return
    const ending = new AbortController()
    readStory(kinds, kind, of, ending.signal).then(
      (story) => setTold({ story }),
      (error: Error) => {
        if (!ending.signal.aborted) setTold({ error })
      },
    )
    return () => ending.abort()
  }, [kinds, kind, of.namespace, of.name, revision, again])
  if (told === undefined) return <p role="status">Asking who did what …</p>
  const tryAgain = <Button onPress={() => setAgain(again + 1)}>Ask again</Button>
  if ('error' in told)
    return (
      <Banner>
        The story could not be told: {told.error.message} {tryAgain}
      </Banner>
    )
  const { steps, missing } = told.story
  return (
    <div className="object-part">
      <Panel title="Why it is as it is" actions={tryAgain}>
        {steps.length === 0 ? (
          <Empty title="Nothing is known of it" />
        ) : (
          <ol className="story">
            {steps.slice(0, SHOWN).map((step, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other name
              <StoryStep key={index} step={step} />
            ))}
          </ol>
        )}
        {steps.length > SHOWN && <p className="quiet">{steps.length - SHOWN} older steps: homeostat why shows them.</p>}
      </Panel>
      {missing.map((one) => (
        <Banner key={one} tone="plain">
          Not known: {one}
        </Banner>
      ))}
    </div>
  )
}

function StoryStep({ step }: { readonly step: Step }) {
  const times = step.type === 'run' && step.count > 1 ? `, ${step.count} times` : ''
  return (
    <li className={step.type}>
      <span className="when">
        <Age time={step.time} />
      </span>
      <div>
        {step.type === 'change' ? (
          <>
            <strong>{changeText(step)}</strong>
            {step.because && <Because run={step.because} />}
          </>
        ) : (
          <>
            <strong>reconciled by {step.controller}</strong>
            {times}: {writesText(step)}
            <Triggers triggers={step.triggers} of={step} />
          </>
        )}
      </div>
    </li>
  )
}

/** The run behind a change. */
function Because({ run }: { readonly run: RunStep }) {
  return (
    <ul>
      <li>
        because {run.controller} reconciled <Named of={run.object} />
        <Triggers triggers={run.triggers} of={run} />
      </li>
    </ul>
  )
}

function Triggers({ triggers, of }: { readonly triggers: readonly TriggerStep[]; readonly of: RunStep }) {
  const more = triggers.length - SHOWN_TRIGGERS
  if (triggers.length === 0) return null
  return (
    <ul>
      {triggers.slice(-SHOWN_TRIGGERS).map(({ text, object, manager, change }, index) => {
        const isOwn = object && shownObject(object) === shownObject(of.object)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: triggers have no other name
          <li key={index}>
            since {isOwn && !/^its? /.test(text) && <Named of={object} />} {text}
            {manager === undefined || change !== undefined ? '' : ` by ${manager}`}
            {change !== undefined && `: ${changeText(change)}`}
            {change?.because && <Because run={change.because} />}
          </li>
        )
      })}
      {more > 0 && <li>and since {more} more</li>}
    </ul>
  )
}

function Named({ of }: { readonly of: RunStep['object'] }) {
  const kind = useShown(servedKinds)?.named(of.apiVersion, of.kind)
  if (kind === undefined) return shownObject(of)
  return (
    <ObjectLink {...kind} namespace={kind.namespaced ? of.namespace : undefined} name={of.name}>
      {shownObject(of)}
    </ObjectLink>
  )
}
