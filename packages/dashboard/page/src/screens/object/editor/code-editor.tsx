// CodeMirror in the page. It owns its text; who shows it is told of changes, and gives it what to complete, explain and mark.

import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import type { KindSchema } from '../../../kinds/schema.ts'
import type { Problem } from './read-yaml.ts'
import { completeFields, explainField } from './yaml-help.ts'

export interface CodeEditorProps {
  readonly label: string
  /** The editor begins with it; a new `version` puts another text there. */
  readonly text: string
  readonly version: number
  readonly schema: KindSchema | undefined
  readonly problems: readonly Problem[]
  readonly onChange: (text: string) => void
  readonly onSave: () => void
}

export function CodeEditor(props: CodeEditorProps) {
  const { label, text, version, schema, problems } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const now = useRef(props)
  now.current = props
  useEffect(() => {
    if (place.current === null) return
    const made = new EditorView({ parent: place.current, state: startState(label, now) })
    view.current = made
    return () => made.destroy()
  }, [label])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new version is another text
  useEffect(() => {
    const shown = view.current
    if (shown === undefined || shown.state.doc.toString() === text) return
    shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: text } })
  }, [version])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a schema that arrives later changes what is marked
  useEffect(() => {
    const shown = view.current
    if (shown === undefined) return
    const { length } = shown.state.doc
    const marks = problems.map(({ from, to, message, severity }): Diagnostic => {
      const start = Math.min(from, length)
      return { from: start, to: Math.min(Math.max(to, start), length), message, severity }
    })
    shown.dispatch(setDiagnostics(shown.state, marks))
  }, [problems, schema])
  return <div ref={place} className="code-editor" />
}

function startState(label: string, now: { readonly current: CodeEditorProps }): EditorState {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
  const schema = () => now.current.schema
  const save = () => {
    now.current.onSave()
    return true
  }
  const extensions: Extension[] = [
    nonce ? EditorView.cspNonce.of(nonce) : [],
    lineNumbers(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    bracketMatching(),
    closeBrackets(),
    indentUnit.of('  '),
    yaml(),
    syntaxHighlighting(colours),
    lintGutter(),
    autocompletion({ override: [completeFields(schema)], icons: false }),
    explainField(schema),
    // Tab leaves the editor, as it leaves everything else.
    keymap.of([{ key: 'Mod-s', run: save }, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) now.current.onChange(state.doc.toString())
    }),
  ]
  return EditorState.create({ doc: now.current.text, extensions })
}

/** By the page's own colours, so that light and dark follow. */
const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--link)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--busy)' },
  { tag: [tags.comment, tags.meta], color: 'var(--quiet)' },
])
