// The namespaces that all screens show, in the address: all, one or several.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { DropdownMenu } from 'radix-ui'
import { useRef } from 'react'
import type { Kind } from '../kinds/kind.ts'
import { servedKinds } from '../kinds/served-kinds.ts'
import { useShown } from '../live/shown.ts'
import { useTable } from '../live/use-table.ts'
import { namespacesOf } from './namespaces.ts'
import './popup.css'

export function NamespaceChoice() {
  const kind = useShown(servedKinds)?.find('', 'v1', 'namespaces')
  return kind === undefined ? null : <Choice kind={kind} />
}

function Choice({ kind }: { readonly kind: Kind }) {
  const { rows } = useTable(kind, {})
  const { ns } = useSearch({ from: '__root__' })
  const navigate = useNavigate()
  const chosen = namespacesOf(ns).filter((name) => name !== undefined)
  // One that was named in the address may not be there, or not be for this user to list.
  const names = [...new Set([...rows.map(({ name }) => name), ...chosen])].sort()
  const show = (wanted: readonly string[]) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, ns: wanted.length === 0 ? undefined : wanted.join(',') }) as never,
    })
  // A click or Enter is about one namespace; with Ctrl, or by Space, it adds or takes away one, and the list stays.
  const several = useRef(false)
  const text = chosen.length > 2 ? `${chosen.length} namespaces` : chosen.join(', ') || 'all namespaces'
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="namespace-choice" aria-label={`Namespace: ${text}`}>
        {text} <span aria-hidden="true">▾</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="popup"
          align="start"
          sideOffset={4}
          onPointerUpCapture={({ shiftKey, ctrlKey, metaKey }) => {
            several.current = shiftKey || ctrlKey || metaKey
          }}
          onKeyDownCapture={({ key }) => {
            several.current = key === ' '
          }}
        >
          <DropdownMenu.Item className="popup-item" onSelect={() => show([])}>
            <span className="tick">{chosen.length === 0 ? '✓' : ''}</span>all namespaces
          </DropdownMenu.Item>
          <DropdownMenu.Separator className="popup-line" />
          {names.map((name) => {
            const checked = chosen.includes(name)
            return (
              <DropdownMenu.CheckboxItem
                key={name}
                className="popup-item"
                checked={checked}
                onSelect={(event) => {
                  if (several.current) event.preventDefault()
                  if (!several.current) show([name])
                  else show(checked ? chosen.filter((one) => one !== name) : [...chosen, name])
                }}
              >
                <span className="tick">{checked ? '✓' : ''}</span>
                {name}
              </DropdownMenu.CheckboxItem>
            )
          })}
          <p className="popup-note">Ctrl with a click, or Space, takes several.</p>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
