// The kinds that the server serves, custom ones first, with a filter.

import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { Kind } from '../kinds/kind.ts'
import type { ServedKinds } from '../kinds/served-kinds.ts'
import { NONE } from './none.ts'

export function KindList({ kinds }: { readonly kinds: ServedKinds }) {
  const [filter, setFilter] = useState('')
  const groups = useMemo(() => grouped(kinds.all, filter.trim().toLowerCase()), [kinds, filter])
  return (
    <>
      <input
        type="search"
        className="kind-filter"
        placeholder="Filter kinds"
        aria-label="Filter kinds"
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
      />
      {groups.map(([group, members]) => (
        <details key={group} open={filter !== '' || !isBuiltIn(group)}>
          <summary title={group}>{group === '' ? 'core' : group}</summary>
          <ul>
            {members.map((kind) => (
              <li key={kind.resource}>
                <Link
                  to="/kinds/$group/$version/$resource"
                  params={{ group: kind.group || NONE, version: kind.version, resource: kind.resource }}
                  search={({ ns }) => (ns === undefined ? {} : { ns })}
                  activeOptions={{ includeSearch: false }}
                >
                  {kind.kind}
                </Link>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </>
  )
}

/** Custom groups first, then those of Kubernetes. */
function grouped(kinds: readonly Kind[], filter: string): [string, Kind[]][] {
  const groups = new Map<string, Kind[]>()
  for (const kind of kinds) {
    const text = `${kind.kind} ${kind.resource} ${kind.shortNames.join(' ')} ${kind.group}`.toLowerCase()
    if (!text.includes(filter)) continue
    const members = groups.get(kind.group)
    if (members === undefined) groups.set(kind.group, [kind])
    else members.push(kind)
  }
  for (const members of groups.values()) members.sort((a, b) => a.kind.localeCompare(b.kind))
  return [...groups].sort(([a], [b]) => Number(isBuiltIn(a)) - Number(isBuiltIn(b)) || a.localeCompare(b))
}

function isBuiltIn(group: string): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io')
}
