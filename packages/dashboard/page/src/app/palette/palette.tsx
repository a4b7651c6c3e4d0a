// Finds anything by a few letters. A colon in front asks for kinds alone, as in k9s.

import { useLocation, useRouter, useSearch } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { readOnly, setReadOnly } from '../../connection/read-only.ts'
import { servedKinds } from '../../kinds/served-kinds.ts'
import { useShown } from '../../live/shown.ts'
import { chooseTimeStyle } from '../../parts/age.tsx'
import { savedViews } from '../../parts/views/saved-views.ts'
import { openByButton } from '../keys/open.ts'
import { chooseTheme } from '../theme.ts'
import { entriesOf, type NamedObject, type Target } from './entries.ts'
import { matching } from './match.ts'
import { readNamespaces, readObjectNames } from './object-names.ts'
import './palette.css'

const SHOWN = 12
const LETTERS_FOR_OBJECTS = 2

export interface PaletteProps {
  readonly first: string
  readonly onClose: () => void
}

export function Palette({ first, onClose }: PaletteProps) {
  const place = useRef<HTMLDialogElement>(null)
  const router = useRouter()
  const [text, setText] = useState(first)
  const [at, setAt] = useState(0)
  const entries = useEntries(text)
  const onlyKinds = text.startsWith(':')
  const offered = useMemo(
    () => (onlyKinds ? entries.filter(({ key }) => key.startsWith('kind ')) : entries),
    [entries, onlyKinds],
  )
  const found = matching(offered, onlyKinds ? text.slice(1) : text, SHOWN)
  const chosen = Math.min(at, found.length - 1)
  useEffect(() => {
    const dialog = place.current
    const before = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])

  function take(target: Target | undefined) {
    if (target === undefined) return
    onClose()
    if (typeof target.go === 'string') router.history.push(`/ui${target.go}`)
    else target.go()
  }

  function press(event: KeyboardEvent) {
    if (event.key === 'ArrowDown') setAt(Math.min(found.length - 1, chosen + 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(0, chosen - 1))
    else if (event.key === 'Enter') take(found[chosen])
    else return
    event.preventDefault()
  }

  return (
    <dialog ref={place} className="palette" aria-label="Find anything" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label="Find a kind, an object, a namespace or an action"
        aria-expanded={found.length > 0}
        aria-controls="palette-list"
        aria-autocomplete="list"
        aria-activedescendant={found[chosen] === undefined ? undefined : `palette-${chosen}`}
        placeholder="A kind, an object, a namespace, an action"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={press}
      />
      <div id="palette-list" role="listbox" aria-label="What was found">
        {found.map((target, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          <div
            key={target.key}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => take(target)}
          >
            <span>{target.title}</span>
            <small>{target.sort}</small>
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p role="status" className="quiet">
          Nothing has these letters.
        </p>
      )}
    </dialog>
  )
}

function useEntries(text: string): readonly Target[] {
  const kinds = useShown(servedKinds)?.all ?? []
  const views = useShown(savedViews)
  const { ns } = useSearch({ from: '__root__' })
  const path = useLocation({ select: ({ href }) => href })
  const namespaces = useNamespaces()
  const objects = useObjectNames(text)
  const locked = useShown(readOnly)
  return useMemo(
    () =>
      entriesOf({
        kinds,
        namespaces,
        views,
        objects,
        ns,
        path,
        actions: [
          { title: 'Light colours', act: () => chooseTheme('light') },
          { title: 'Dark colours', act: () => chooseTheme('dark') },
          { title: 'Colours of the system', act: () => chooseTheme('system') },
          { title: 'Times: how long ago', act: () => chooseTimeStyle('relative') },
          { title: 'Times: local', act: () => chooseTimeStyle('local') },
          { title: 'Times: UTC', act: () => chooseTimeStyle('utc') },
          { title: locked ? 'Allow changes' : 'Read-only: change nothing', act: () => setReadOnly(!locked) },
          { title: 'Help: the keys', act: () => openByButton('help') },
        ],
      }),
    [kinds, views, objects, namespaces, ns, path, locked],
  )
}

/** Asked for once, when the palette opens. Who may not list them finds none. */
function useNamespaces(): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([])
  useEffect(() => {
    const ending = new AbortController()
    readNamespaces(ending.signal).then(setNames, () => {})
    return () => ending.abort()
  }, [])
  return names
}

function useObjectNames(text: string): readonly NamedObject[] {
  const [objects, setObjects] = useState<readonly NamedObject[]>([])
  const wanted = !text.startsWith(':') && text.trim().length >= LETTERS_FOR_OBJECTS
  useEffect(() => {
    if (!wanted) return
    const ending = new AbortController()
    void readObjectNames(servedKinds.value?.all ?? [], setObjects, ending.signal)
    return () => ending.abort()
  }, [wanted])
  return objects
}
