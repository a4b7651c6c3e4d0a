// The namespace that all screens show, in the address.

import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Kind } from '../kinds/kind.ts'
import { servedKinds } from '../kinds/served-kinds.ts'
import { useShown } from '../live/shown.ts'
import { useTable } from '../live/use-table.ts'

export function NamespaceChoice() {
  const kind = useShown(servedKinds)?.find('', 'v1', 'namespaces')
  return kind === undefined ? null : <Choice kind={kind} />
}

function Choice({ kind }: { readonly kind: Kind }) {
  const { rows } = useTable(kind, {})
  const { ns = '' } = useSearch({ from: '__root__' })
  const navigate = useNavigate()
  const names = rows.map(({ name }) => name).sort()
  if (ns !== '' && !names.includes(ns)) names.unshift(ns)
  const choose = (chosen: string) =>
    navigate({ to: '.', search: (before) => ({ ...before, ns: chosen === '' ? undefined : chosen }) as never })
  return (
    <select aria-label="Namespace" value={ns} onChange={(event) => void choose(event.target.value)}>
      <option value="">all namespaces</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}
