// What the palette offers: screens, kinds, namespaces, saved views, actions, and objects once their names are known. Pure.

import type { Kind } from '../../kinds/kind.ts'
import { fullName } from '../../kinds/kind.ts'
import type { SavedView } from '../../parts/views/view-list.ts'
import { NONE } from '../none.ts'
import { PLACES } from '../places.ts'
import type { Entry } from './match.ts'

export interface Target extends Entry {
  /** Where it leads, below `/ui`; or what it does. */
  readonly go: string | (() => void)
}

export interface NamedObject {
  readonly kind: Kind
  readonly namespace: string | undefined
  readonly name: string
}

export interface Offered {
  readonly kinds: readonly Kind[]
  readonly namespaces: readonly string[]
  readonly views: readonly SavedView[]
  readonly objects: readonly NamedObject[]
  readonly actions: readonly { readonly title: string; readonly act: () => void }[]
  /** The namespaces that are shown, as in the address. */
  readonly ns: string | undefined
  /** Where the page is, for a change of the namespace. */
  readonly path: string
}

export function entriesOf({ kinds, namespaces, views, objects, actions, ns, path }: Offered): Target[] {
  const keep = ns === undefined ? '' : `?ns=${encodeURIComponent(ns)}`
  const hasColony = kinds.some(({ group, resource }) => group === 'colonies.io' && resource === 'processes')
  return [
    ...PLACES.filter(({ ofColony }) => hasColony || !ofColony).map(
      ({ title, to }): Target => ({ key: `screen ${to}`, title, sort: 'screen', go: `${to}${keep}` }),
    ),
    ...kinds.map((kind) => kindEntry(kind, keep)),
    ...views.map(
      ({ name, path }): Target => ({ key: `view ${name}`, title: name, words: 'saved view', sort: 'view', go: path }),
    ),
    ...['', ...namespaces].map((name): Target => {
      const title = name === '' ? 'all namespaces' : name
      return { key: `namespace ${name}`, title, words: 'namespace', sort: 'namespace', go: withNamespace(path, name) }
    }),
    ...actions.map(({ title, act }): Target => ({ key: `action ${title}`, title, sort: 'action', go: act })),
    ...objects.map((object) => objectEntry(object, keep)),
  ]
}

export function kindEntry(kind: Kind, keep: string): Target {
  const { group, version, resource, shortNames } = kind
  return {
    key: `kind ${fullName(kind)}`,
    title: kind.kind,
    words: `${resource} ${shortNames.join(' ')} ${group || 'core'}`,
    sort: group === '' ? 'kind' : `kind of ${group}`,
    go: `/kinds/${group || NONE}/${version}/${resource}${keep}`,
  }
}

function objectEntry({ kind, namespace, name }: NamedObject, keep: string): Target {
  const place = [kind.group || NONE, kind.version, kind.resource, namespace ?? NONE, name].map(encodeURIComponent)
  return {
    key: `object ${place.join('/')}`,
    title: name,
    words: `${kind.kind} ${namespace ?? ''}`,
    sort: namespace === undefined ? kind.kind : `${kind.kind} in ${namespace}`,
    go: `/objects/${place.join('/')}${keep}`,
  }
}

/** The same screen in another namespace. */
export function withNamespace(path: string, namespace: string): string {
  const [place = '/', query = ''] = path.split('?')
  const search = new URLSearchParams(query)
  if (namespace === '') search.delete('ns')
  else search.set('ns', namespace)
  return search.size === 0 ? place : `${place}?${search}`
}
