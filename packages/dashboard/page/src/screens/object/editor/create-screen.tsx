// A new object of a kind: begins with what the kind's schema requires, is tried on the server while it is written, and becomes an object
// when asked.

import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { namespacesOf } from '../../../app/namespaces.ts'
import { NONE } from '../../../app/none.ts'
import { client } from '../../../connection/client.ts'
import { apiVersionOf, collectionPath, type Kind } from '../../../kinds/kind.ts'
import type { KindSchema } from '../../../kinds/schema.ts'
import { servedKinds } from '../../../kinds/served-kinds.ts'
import type { LiveObject } from '../../../live/object.ts'
import { useShown } from '../../../live/shown.ts'
import { Banner } from '../../../parts/banner.tsx'
import { Button } from '../../../parts/button.tsx'
import { yamlOf } from '../history/diff-view.tsx'
import '../object.css'
import { useWhyNot } from '../../../parts/use-why-not.ts'
import { CodeEditor } from './code-editor.tsx'
import { dropDraft, keepDraft, newDraftKey, readDraft } from './draft.ts'
import './editor.css'
import { firstError, type Problem, rangeOfField, readYaml } from './read-yaml.ts'
import { skeleton } from './skeleton.ts'
import { useDryRun } from './use-dry-run.ts'
import { useSchema } from './use-schema.ts'
import { Refused, Verdict } from './verdict.tsx'

const route = getRouteApi('/new/$group/$version/$resource')

export function CreateScreen() {
  const { group, version, resource } = route.useParams()
  const kind = useShown(servedKinds)?.find(group === NONE ? '' : group, version, resource)
  if (kind === undefined)
    return (
      <Banner>
        The server does not serve {resource} in {group}/{version}.
      </Banner>
    )
  return <WithSchema key={`${group}/${version}/${resource}`} kind={kind} />
}

function WithSchema({ kind }: { readonly kind: Kind }) {
  const { schema, isKnown } = useSchema(kind)
  return isKnown ? <Create kind={kind} schema={schema} /> : <p role="status">Reading the schema …</p>
}

function Create({ kind, schema }: { readonly kind: Kind; readonly schema: KindSchema | undefined }) {
  const { ns } = route.useSearch() as { ns?: string }
  const navigate = useNavigate()
  const draftKey = newDraftKey(kind)
  const [text, setText] = useState(
    () => (draftKey && readDraft(draftKey)?.text) || yamlOf(skeleton(kind, schema, namespacesOf(ns)[0])),
  )
  const [version, setVersion] = useState(0)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const read = readYaml(text, schema)
  const place = placeOf(kind, read.object)
  const mayNot = useWhyNot({ verb: 'create', group: kind.group, resource: kind.resource, namespace: place?.namespace })
  const dryRun = useDryRun(place?.isNamed ? text : undefined, (signal) => send(kind, read.object, true, signal))
  const errors = read.problems.filter(({ severity }) => severity === 'error').length
  const whyNot =
    mayNot ??
    (read.object === undefined || errors > 0
      ? 'Mend what is marked first.'
      : place?.isNamed
        ? undefined
        : 'It needs metadata.name or metadata.generateName.')

  function edit(value: string) {
    setText(value)
    setProblem(undefined)
    if (draftKey !== undefined) keepDraft(draftKey, { text: value, base: {}, revision: '', at: Date.now() })
  }

  async function create() {
    setBusy(true)
    try {
      const { metadata } = await send(kind, read.object, false)
      if (draftKey !== undefined) dropDraft(draftKey)
      const { group, version, resource } = kind
      const params = {
        group: group || NONE,
        version,
        resource,
        namespace: metadata.namespace ?? NONE,
        name: metadata.name,
      }
      await navigate({ to: '/objects/$group/$version/$resource/$namespace/$name', params, search: ns ? { ns } : {} })
    } catch (error) {
      setProblem((error as Error).message)
      setBusy(false)
    }
  }

  function beginAnew() {
    edit(yamlOf(skeleton(kind, schema, namespacesOf(ns)[0])))
    setVersion(version + 1)
    if (draftKey !== undefined) dropDraft(draftKey)
  }

  const problems: Problem[] = [...read.problems]
  if (dryRun.state === 'refused')
    for (const { field, message } of dryRun.refusal.causes) {
      const [from, to] = rangeOfField(read.document, field)
      problems.push({ from, to, message: `${field}: ${message}`, severity: 'error' })
    }
  return (
    <div className="screen">
      <h1>
        New {kind.kind} <small>{apiVersionOf(kind)}</small>
      </h1>
      {schema === undefined && (
        <Banner tone="plain">The server does not publish the schema of this kind: there is no completion.</Banner>
      )}
      <div className="toolbar">
        <Button look="main" onPress={() => void create()} whyNot={busy ? 'It is being created …' : whyNot}>
          Create
        </Button>
        <Button onPress={beginAnew}>Begin anew</Button>
        <span className="space" />
        <Verdict dryRun={dryRun} errors={errors} firstError={firstError(read.problems, text)} what="new" />
      </div>
      {problem !== undefined && <Banner>Nothing was created: {problem}</Banner>}
      <CodeEditor
        label={`YAML of the new ${kind.kind}`}
        text={text}
        version={version}
        schema={schema}
        problems={problems}
        onChange={edit}
        onSave={() => whyNot === undefined && void create()}
      />
      <Refused dryRun={dryRun} />
    </div>
  )
}

interface Place {
  readonly namespace: string | undefined
  readonly isNamed: boolean
}

/** Undefined for what is no object. */
function placeOf(kind: Kind, object: Record<string, unknown> | undefined): Place | undefined {
  if (object === undefined) return undefined
  const { name, generateName, namespace } = (object.metadata ?? {}) as Record<string, unknown>
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
  return {
    namespace: kind.namespaced ? (isText(namespace) ? namespace : 'default') : undefined,
    isNamed: isText(name) || isText(generateName),
  }
}

function send(
  kind: Kind,
  object: Record<string, unknown> | undefined,
  dryRun: boolean,
  signal?: AbortSignal,
): Promise<LiveObject> {
  const query = new URLSearchParams({ fieldManager: 'homeostat-dashboard', fieldValidation: 'Strict' })
  if (dryRun) query.set('dryRun', 'All')
  return client.requestJson({
    method: 'POST',
    path: `${collectionPath(kind, placeOf(kind, object)?.namespace)}?${query}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(object),
    ...(signal && { signal }),
  }) as Promise<LiveObject>
}
