// A Process: what it did with its time, what went in, what came out; and once more, with other arguments if need be.

import { retryManifest } from '@homeostat/colony/views'
import type { Process } from '@homeostat/executor/protocol'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { LiveObject } from '../../live/object.ts'
import { Age } from '../../parts/age.tsx'
import { Banner } from '../../parts/banner.tsx'
import { Button } from '../../parts/button.tsx'
import { cancelProcess, submitAgain, whyNotCancel, whyNotRerun } from '../../parts/colony/process-calls.ts'
import { useNobodyOnline } from '../../parts/colony/use-nobody-online.ts'
import { ObjectLink } from '../../parts/object-link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useWhyNot } from '../../parts/use-why-not.ts'
import { Waterfall } from '../../parts/waterfall/waterfall-view.tsx'
import { attemptsOf } from './attempts.ts'
import { EditRun } from './edit-run.tsx'
import { JsonText } from './json-text.tsx'
import './process.css'

const KIND = { group: 'colonies.io', version: 'v1' } as const

export function ProcessRun({ object }: { readonly object: LiveObject }) {
  const process = object as unknown as Process
  const { spec, metadata } = process
  const status = process.status ?? {}
  const { namespace = '', name = '' } = metadata
  const navigate = useNavigate()
  const [editing, setEditing] = useState(false)
  const [problem, setProblem] = useState<string>()
  const mayPatch = useWhyNot({ verb: 'patch', group: KIND.group, resource: 'processes', namespace })
  const mayCreate = useWhyNot({ verb: 'create', group: KIND.group, resource: 'processes', namespace })
  const { spans, untold } = attemptsOf(spec, status)
  const phase = status.phase ?? 'Waiting'
  const nobody = useNobodyOnline(phase === 'Waiting' ? { namespace, spec } : undefined)
  const rerunAgainst = whyNotRerun(phase, metadata.labels)

  const trying = (act: () => Promise<unknown>) => {
    setProblem(undefined)
    act().catch((error: Error) => setProblem(error.message))
  }
  const again = async (manifest = retryManifest(process)) => {
    const made = await submitAgain(manifest)
    await navigate({
      to: '/objects/$group/$version/$resource/$namespace/$name',
      params: { ...KIND, resource: 'processes', namespace, name: made },
      search: (old) => (old.ns === undefined ? {} : { ns: old.ns }),
    })
  }

  return (
    <div className="screen process-run">
      <div className="toolbar">
        <code>{spec.funcName}</code>
        <span>
          on {spec.conditions?.executorType}
          {status.executor !== undefined && (
            <>
              {' '}
              by{' '}
              <ObjectLink {...KIND} resource="executors" namespace={namespace} name={status.executor}>
                {status.executor}
              </ObjectLink>
            </>
          )}
        </span>
        <span className="space" />
        <Button whyNot={rerunAgainst ?? mayCreate} onPress={() => trying(() => again())}>
          Run again
        </Button>
        <Button whyNot={rerunAgainst ?? mayCreate} onPress={() => setEditing(true)}>
          Edit and run again
        </Button>
        <Button
          look="danger"
          whyNot={whyNotCancel(phase) ?? (spec.cancel ? 'Its end was asked for already.' : mayPatch)}
          onPress={() => trying(() => cancelProcess({ namespace, name }))}
        >
          Cancel
        </Button>
      </div>
      {problem !== undefined && <Banner>{problem}</Banner>}
      {nobody !== undefined && <Banner tone="busy">It waits: {nobody}.</Banner>}
      {spec.cancel === true && phase === 'Running' && (
        <Banner tone="busy">The executor was told to end it; after 30 seconds the server does.</Banner>
      )}
      <Panel title="Attempts">
        {untold > 0 && (
          <p className="quiet">
            {untold} earlier {untold === 1 ? 'attempt is' : 'attempts are'} not kept any more.
          </p>
        )}
        <Waterfall label="Attempts" spans={spans} />
        {phase === 'Waiting' && status.notBefore !== undefined && (
          <p className="quiet">
            The next attempt may begin at <Age time={status.notBefore} />.
          </p>
        )}
      </Panel>
      {(status.errors?.length ?? 0) > 0 && (
        <Panel title="Errors of the last attempt">
          <ul className="errors">
            {status.errors?.slice(0, 20).map((error, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same error may stand there twice
              <li key={index}>
                <pre>{String(error).slice(0, 4096)}</pre>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <div className="in-and-out">
        <Panel title="Input">
          <JsonText
            name="input"
            value={{
              ...(spec.args && { args: spec.args }),
              ...(spec.kwargs && { kwargs: spec.kwargs }),
              ...(spec.env && { env: spec.env }),
              ...(spec.inputFrom && { inputFrom: spec.inputFrom }),
            }}
            empty="It was called without arguments."
          />
        </Panel>
        <Panel title="Output">
          <JsonText
            name="output"
            value={status.output}
            empty={phase === 'Succeeded' ? 'It returned nothing.' : 'There is none yet.'}
          />
        </Panel>
      </div>
      {editing && <EditRun process={process} onSubmit={again} onClose={() => setEditing(false)} />}
    </div>
  )
}
