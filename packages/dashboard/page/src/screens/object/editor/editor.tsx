// The editor of one object: text, what is wrong with it, what it would change; then the change, or the conflict that it meets. The text
// stays whatever the server says.

import { type RefObject, useState } from 'react'
import type { Kind, ObjectName } from '../../../kinds/kind.ts'
import type { LiveObject } from '../../../live/object.ts'
import { Age } from '../../../parts/age.tsx'
import { Banner } from '../../../parts/banner.tsx'
import { Button } from '../../../parts/button.tsx'
import { yamlOf } from '../history/diff-view.tsx'
import { ownedFields } from '../summary/managers.ts'
import { editable } from '../yaml/neat.ts'
import { type Change, type Conflict, changesBetween, conflictsOf, takenOver } from './changes.ts'
import { CodeEditor } from './code-editor.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { type Draft, dropDraft, keepDraft } from './draft.ts'
import './editor.css'
import { GoneMeanwhile } from './gone-meanwhile.tsx'
import { firstError, type Problem, rangeOfField, readYaml } from './read-yaml.ts'
import { SaveDialog } from './save-dialog.tsx'
import { findLive, sendPatch } from './send.ts'
import { type DryRun, useDryRun } from './use-dry-run.ts'
import { useSchema } from './use-schema.ts'
import { Refused, Verdict } from './verdict.tsx'

export interface EditorProps {
  /** Undefined for what may not be kept. */
  readonly draftKey: string | undefined
  readonly kind: Kind
  readonly of: ObjectName
  readonly object: LiveObject
  /** It was deleted while somebody wrote: the text stays, for an object that is made anew. */
  readonly isGone: boolean
  /** Set while there is something that could be lost. */
  readonly isDirty: RefObject<boolean>
  readonly begin: Pick<Draft, 'base' | 'text' | 'revision'> & { readonly draft: Draft | undefined }
}

interface Met {
  readonly conflicts: readonly Conflict[]
  readonly live: LiveObject
}

export function Editor({ draftKey, kind, of, object, isGone, isDirty, begin }: EditorProps) {
  const [draft, setDraft] = useState(begin.draft)
  const [base, setBase] = useState<{ object: object; revision: string }>(
    draft === undefined
      ? { object: begin.base, revision: begin.revision }
      : { object: draft.base, revision: draft.revision },
  )
  const [text, setText] = useState({ value: draft?.text ?? begin.text, version: 0 })
  const [step, setStep] = useState<'saving' | 'sending'>()
  const [met, setMet] = useState<Met>()
  const [said, setSaid] = useState<{ tone: 'good' | 'bad'; text: string }>()
  const [kept, setKept] = useState(true)
  const { schema } = useSchema(kind)
  const read = readYaml(text.value, schema)
  const changes = read.object === undefined ? [] : changesBetween(base.object, read.object)
  const identity = changes.find(({ path }) => IDENTITY.has(path.join('.')))
  const dryRun = useDryRun(changes.length === 0 || identity || isGone ? undefined : text.value, (signal) =>
    sendPatch(kind, of, changes, { dryRun: true, signal }),
  )
  isDirty.current = text.value !== begin.text
  const problems = [...read.problems, ...refused(dryRun, read)]
  const errors = read.problems.filter(({ severity }) => severity === 'error').length

  function edit(value: string) {
    setText({ value, version: text.version })
    setSaid(undefined)
    if (draftKey !== undefined)
      setKept(keepDraft(draftKey, { text: value, base: base.object, revision: base.revision, at: Date.now() }))
  }

  function beginAnew(from: LiveObject) {
    const next = editable(from)
    setBase({ object: next, revision: from.metadata.resourceVersion })
    setText({ value: yamlOf(next), version: text.version + 1 })
    setDraft(undefined)
    if (draftKey !== undefined) dropDraft(draftKey)
  }

  async function save(wanted: readonly Change[], revision: string, tries = MOST_TRIES) {
    setStep('sending')
    try {
      const after = await sendPatch(kind, of, wanted, { revision })
      beginAnew(after)
      setSaid({
        tone: 'good',
        text: `Saved${after.metadata.generation ? `: generation ${after.metadata.generation}` : ''}.`,
      })
    } catch (error) {
      await settle(error as Error, wanted, tries)
    }
    setStep(undefined)
  }

  /** Somebody else was faster: their change is taken over where it does not meet one of ours. */
  async function settle(error: Error, wanted: readonly Change[], tries: number) {
    const live = await findLive(kind, of, error).catch(() => undefined)
    if (live === undefined) return setSaid({ tone: 'bad', text: `Nothing was saved: ${error.message}` })
    const theirs = changesBetween(base.object, editable(live))
    const conflicts = conflictsOf(wanted, theirs, ownedFields(live.metadata.managedFields))
    if (conflicts.length > 0) return setMet({ conflicts, live })
    // An object that others write all the time, or somebody who answers every change with a conflict.
    if (tries > 1) return save(wanted, live.metadata.resourceVersion, tries - 1)
    setSaid({ tone: 'bad', text: `Nothing was saved, in ${MOST_TRIES} tries: ${error.message}` })
  }

  /** The text becomes what is there now, with those of my changes that were not given up. */
  function resolve(givenUp: ReadonlySet<Conflict>) {
    if (met === undefined || read.document === undefined) return
    const theirs = changesBetween(base.object, editable(met.live))
    for (const { path, after } of takenOver(changes, theirs, givenUp)) {
      if (after === undefined) read.document.deleteIn(path)
      else read.document.setIn(path, after)
    }
    const value = String(read.document)
    const next = { object: editable(met.live), revision: met.live.metadata.resourceVersion }
    setBase(next)
    setText({ value, version: text.version + 1 })
    if (draftKey !== undefined)
      keepDraft(draftKey, { text: value, base: next.object, revision: next.revision, at: Date.now() })
    setMet(undefined)
    setStep('saving')
  }

  const whyNot = isGone
    ? 'It was deleted.'
    : read.object === undefined || errors > 0
      ? 'Mend what is marked first.'
      : identity
        ? `${identity.path.join('.')} is what the object is; it cannot change.`
        : changes.length === 0
          ? 'Nothing is changed.'
          : undefined
  return (
    <div className="object-part">
      {draft !== undefined && !isGone && (
        <Banner tone="plain">
          This is your draft from <Age time={draft.at} ago />.
          <Button onPress={() => beginAnew(object)}>Throw it away</Button>
        </Banner>
      )}
      {isGone && <GoneMeanwhile kind={kind} of={of} text={text.value} />}
      {!isGone && object.metadata.resourceVersion !== base.revision && changes.length > 0 && (
        <p className="quiet">
          The object has changed since you began. What you did not touch is taken over when you save.
        </p>
      )}
      <div className="toolbar">
        <Button look="main" onPress={() => setStep('saving')} whyNot={whyNot}>
          Review and save
        </Button>
        <Button
          onPress={() => beginAnew(object)}
          whyNot={isGone ? 'It was deleted.' : changes.length === 0 && errors === 0 ? 'Nothing is changed.' : undefined}
        >
          Begin anew
        </Button>
        <span className="space" />
        <Verdict
          dryRun={dryRun}
          errors={errors}
          firstError={firstError(read.problems, text.value)}
          what={`${changes.length} ${changes.length === 1 ? 'field' : 'fields'} changed`}
        />
      </div>
      {said !== undefined && (
        <p role={said.tone === 'bad' ? 'alert' : 'status'} className={`banner ${said.tone}`}>
          {said.text}
        </p>
      )}
      <CodeEditor
        label={`YAML of ${kind.kind} ${of.name}`}
        text={text.value}
        version={text.version}
        schema={schema}
        problems={problems}
        onChange={edit}
        onSave={() => whyNot === undefined && setStep('saving')}
      />
      <Refused dryRun={dryRun} />
      {!kept && <p className="quiet">The text is too long to be kept over a reload of the page.</p>}
      {step !== undefined && met === undefined && read.object !== undefined && (
        <SaveDialog
          title={`Change ${kind.kind} ${of.name}`}
          before={base.object}
          after={read.object}
          changes={changes}
          owned={ownedFields(object.metadata.managedFields)}
          isSending={step === 'sending'}
          onClose={() => setStep(undefined)}
          onSave={() => void save(changes, base.revision)}
        />
      )}
      {met !== undefined && (
        <ConflictDialog conflicts={met.conflicts} onClose={() => setMet(undefined)} onResolve={resolve} />
      )}
    </div>
  )
}

/** Of a change that meets others which concern other fields. */
const MOST_TRIES = 5
const IDENTITY = new Set(['apiVersion', 'kind', 'metadata.name', 'metadata.namespace'])

/** What the server refuses, at the fields that it names. */
function refused(dryRun: DryRun, { document }: ReturnType<typeof readYaml>): Problem[] {
  if (dryRun.state !== 'refused') return []
  return dryRun.refusal.causes.map(({ field, message }) => {
    const [from, to] = rangeOfField(document, field)
    return { from, to, message: `${field}: ${message}`, severity: 'error' }
  })
}
