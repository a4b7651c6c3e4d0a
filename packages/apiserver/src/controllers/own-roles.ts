// The roles that this server has beside those of Kubernetes: who may open its event streams, and the kinds that it brings
// in the default roles view, edit and admin. Written as the facts of Kubernetes' own roles are, and kept up to date alike. Pure.

import type { KubeObject } from '@homeostat/meta'
import { fieldsOf, textOf } from '../builtin/fields-of.ts'
import type { ApiExtension } from '../registry/api-extension.ts'
import type { BindingFact, ClusterRoleFact, Named } from './role-facts.ts'

const STREAMS = 'homeostat:event-streams'

/** Everybody who is known may open a stream: it shows only what they may watch. */
export const streamRoles: Named<ClusterRoleFact> = { [STREAMS]: { rules: ['get urls /crd,/events,/watch'] } }
export const streamBindings: Named<BindingFact> = {
  [STREAMS]: { role: `ClusterRole ${STREAMS}`, subjects: ['Group system:authenticated'] },
}

const READ = 'get,list,watch'
const WRITE = 'create,delete,deletecollection,patch,update'

/**
 * Two roles for each API group of the definitions: readers read its kinds, editors write those that live in namespaces. Of
 * subresources only logs are read: a status, an assignment, an approval or a token is for whom a role names it.
 */
export function kindRoles(
  definitions: readonly KubeObject[],
  extensions: readonly ApiExtension[],
): Named<ClusterRoleFact> {
  const groups = new Map<string, { plural: string; namespaced: boolean }[]>()
  for (const { spec } of definitions) {
    const { group, scope, names } = fieldsOf(spec)
    const plural = textOf(fieldsOf(names).plural)
    const known = groups.get(textOf(group)) ?? []
    known.push({ plural, namespaced: scope === 'Namespaced' })
    groups.set(textOf(group), known)
  }
  const roles: Record<string, ClusterRoleFact> = {}
  for (const [group, kinds] of groups) {
    const hasLog = (plural: string) =>
      extensions.some(
        (one) => one.group === group && one.resource === plural && one.subresource === 'log' && one.verb === 'get',
      )
    const all = kinds.flatMap(({ plural }) => (hasLog(plural) ? [plural, `${plural}/log`] : [plural])).sort()
    const editable = kinds.flatMap(({ namespaced, plural }) => (namespaced ? [plural] : [])).sort()
    roles[`homeostat:${group}:view`] = { to: 'view', rules: [`${READ} ${group} ${all}`] }
    if (editable.length > 0) roles[`homeostat:${group}:edit`] = { to: 'edit', rules: [`${WRITE} ${group} ${editable}`] }
  }
  return roles
}
