// What the address says of a tab beside its name, so that what somebody looks at has a link.

import { getRouteApi } from '@tanstack/react-router'
import type { ObjectSearch } from '../../app/routes.tsx'

const route = getRouteApi('/objects/$group/$version/$resource/$namespace/$name')

export function useObjectSearch(): [ObjectSearch, (change: Partial<ObjectSearch>) => void] {
  const navigate = route.useNavigate()
  const search = route.useSearch()
  const change = (change: Partial<ObjectSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace: true })
  return [search, change]
}
