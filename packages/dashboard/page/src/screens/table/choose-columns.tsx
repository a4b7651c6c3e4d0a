// Which columns are shown: the server's by a tick, labels by their key, and any field by its path.

import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import type { Kind } from '../../kinds/kind.ts'
import { schemaOf } from '../../kinds/openapi.ts'
import type { Column } from '../../live/table-replica.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { type ColumnSpec, fieldProblem, parseColumns, printColumns, textOf } from './column-spec.ts'

const route = getRouteApi('/kinds/$group/$version/$resource')

export interface ChooseColumnsProps {
  readonly kind: Kind
  readonly columns: readonly Column[]
  readonly labels: readonly string[]
  readonly onClose: () => void
}

export function ChooseColumns({ kind, columns, labels, onClose }: ChooseColumnsProps) {
  const fields = useFieldPaths(kind)
  const { cols } = route.useSearch()
  const navigate = route.useNavigate()
  const chosen = chosenOf(columns, cols)
  const set = (specs: readonly ColumnSpec[] | undefined) =>
    void navigate({ search: (old) => ({ ...old, cols: specs && printColumns(specs) }), replace: true })
  const has = (spec: ColumnSpec) => chosen.some((one) => textOf(one) === textOf(spec))
  const toggle = (spec: ColumnSpec) =>
    set(has(spec) ? chosen.filter((one) => textOf(one) !== textOf(spec)) : [...chosen, spec])
  const added = chosen.filter(({ from }) => from !== 'server')
  return (
    <Dialog
      title="Columns"
      onClose={onClose}
      buttons={
        <>
          <Button onPress={() => set(undefined)}>As the server shows them</Button>
          <Button look="main" onPress={onClose}>
            Done
          </Button>
        </>
      }
    >
      <fieldset className="column-choices">
        <legend>Of the server</legend>
        {columns.map(({ name }) => {
          const spec = { from: 'server', name } as const
          return (
            <label key={name}>
              <input type="checkbox" checked={has(spec)} disabled={name === 'Name'} onChange={() => toggle(spec)} />{' '}
              {name}
            </label>
          )
        })}
      </fieldset>
      {added.length > 0 && (
        <fieldset className="column-choices">
          <legend>Added</legend>
          {added.map((spec) => (
            <label key={textOf(spec)}>
              <input type="checkbox" checked onChange={() => toggle(spec)} /> <code>{textOf(spec)}</code>
            </label>
          ))}
        </fieldset>
      )}
      {chosen.length > 1 && (
        <fieldset className="column-choices">
          <legend>In this order</legend>
          <ol className="column-order">
            {chosen.map((spec, at) => (
              <li key={textOf(spec)}>
                {textOf(spec)}
                <Button
                  label={`Move ${textOf(spec)} to the front`}
                  onPress={() => set(swapped(chosen, at, at - 1))}
                  whyNot={at === 0 ? 'It is the first.' : undefined}
                >
                  ←
                </Button>
                <Button
                  label={`Move ${textOf(spec)} to the back`}
                  onPress={() => set(swapped(chosen, at, at + 1))}
                  whyNot={at === chosen.length - 1 ? 'It is the last.' : undefined}
                >
                  →
                </Button>
              </li>
            ))}
          </ol>
        </fieldset>
      )}
      <AddColumn
        label="A label"
        placeholder="team"
        suggestions={labels}
        problem={(text) => (text === '' ? 'Which label?' : undefined)}
        onAdd={(name) => has({ from: 'label', name }) || toggle({ from: 'label', name })}
      />
      <AddColumn
        label="A field"
        placeholder=".spec.replicas"
        suggestions={fields}
        problem={fieldProblem}
        onAdd={(name) => has({ from: 'field', name }) || toggle({ from: 'field', name })}
      />
      <p className="quiet">With a field the server sends whole objects, of which the page keeps that field alone.</p>
    </Dialog>
  )
}

function chosenOf(columns: readonly Column[], cols: string | undefined): readonly ColumnSpec[] {
  const specs = parseColumns(cols)
  if (specs !== undefined && specs !== 'all') {
    const named = specs.some(({ from, name }) => from === 'server' && name === 'Name')
    return named ? specs : [{ from: 'server', name: 'Name' }, ...specs]
  }
  return columns
    .filter(({ priority }) => specs === 'all' || priority === 0)
    .map(({ name }) => ({ from: 'server', name }))
}

function swapped<T>(list: readonly T[], one: number, other: number): readonly T[] {
  const next = [...list]
  const [a, b] = [list[one], list[other]]
  if (a === undefined || b === undefined) return list
  next[one] = b
  next[other] = a
  return next
}

/** What the kind's schema knows, once it has arrived; any other path will do as well. */
function useFieldPaths(kind: Kind): readonly string[] {
  const [paths, setPaths] = useState<readonly string[]>([])
  useEffect(() => {
    let current = true
    void schemaOf(kind).then((schema) => {
      if (current && schema !== undefined) setPaths(schema.paths())
    })
    return () => {
      current = false
    }
  }, [kind])
  return paths
}

interface AddColumnProps {
  readonly label: string
  readonly placeholder: string
  readonly suggestions: readonly string[]
  readonly problem: (text: string) => string | undefined
  readonly onAdd: (text: string) => void
}

function AddColumn({ label, placeholder, suggestions, problem, onAdd }: AddColumnProps) {
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState<string>()
  const list = `suggestions-${label}`.replaceAll(' ', '-')
  function submit(event: FormEvent) {
    event.preventDefault()
    const found = problem(text.trim())
    setWrong(found)
    if (found !== undefined) return
    onAdd(text.trim())
    setText('')
  }
  return (
    <form className="add-column" onSubmit={submit}>
      <label>
        {label}
        <input
          value={text}
          placeholder={placeholder}
          list={list}
          aria-invalid={wrong !== undefined}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <datalist id={list}>
        {suggestions.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <button type="submit">Add</button>
      {wrong !== undefined && (
        <span role="alert" className="bad">
          {wrong}
        </span>
      )}
    </form>
  )
}
