// Derives what a fresh server holds from a folder of facts about Kubernetes:
//   node scripts/facts/derive-bootstrap.ts FOLDER
// writes packages/apiserver/facts/bootstrap.json. Format it with `npm run format` afterwards.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const TARGET = join(import.meta.dirname, '../../packages/apiserver/facts/bootstrap.json')
const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const FLOW = '/apis/flowcontrol.apiserver.k8s.io/v1'

interface Rule {
  readonly verbs: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
}

interface Subject {
  readonly kind: string
  readonly name: string
  readonly namespace?: string
}

interface Found {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Record<string, string> }
  readonly rules?: readonly Rule[]
  readonly aggregationRule?: { readonly clusterRoleSelectors: readonly { readonly matchLabels: object }[] }
  readonly roleRef?: { readonly kind: string; readonly name: string }
  readonly subjects?: readonly Subject[]
  readonly value?: number
  readonly spec?: unknown
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('say which folder has the facts')
const facts = JSON.parse(readFileSync(join(folder, 'bootstrap-objects.json'), 'utf8')) as Record<string, Found[]>

writeFileSync(
  TARGET,
  `${JSON.stringify({
    clusterRoles: byName(`${RBAC}/clusterroles`, clusterRole),
    clusterRoleBindings: byName(`${RBAC}/clusterrolebindings`, binding),
    roles: byName(`${RBAC}/roles`, ({ rules = [] }) => rules.map(ruleLine)),
    roleBindings: byName(`${RBAC}/rolebindings`, binding),
    priorityClasses: byName('/apis/scheduling.k8s.io/v1/priorityclasses', ({ value }) => value),
    flowSchemas: byName(`${FLOW}/flowschemas`, ({ spec }) => spec),
    priorityLevels: byName(`${FLOW}/prioritylevelconfigurations`, ({ spec }) => spec),
  })}\n`,
)

function byName(path: string, form: (found: Found) => unknown): Record<string, unknown> {
  const entries = (facts[path] ?? []).map((found) => {
    const { name, namespace } = found.metadata
    return [namespace === undefined ? name : `${namespace}/${name}`, form(found)]
  })
  return Object.fromEntries(entries)
}

/** `to` is the role that it is a part of. A role that is made of others has no rules here: they follow. */
function clusterRole({ metadata, aggregationRule, rules = [] }: Found): unknown {
  const [to] = Object.keys(metadata.labels ?? {}).flatMap((label) => /aggregate-to-(\w+)$/.exec(label)?.[1] ?? [])
  return { ...(to !== undefined && { to }), ...(aggregationRule ? { made: true } : { rules: rules.map(ruleLine) }) }
}

/** `verbs groups resources [names]`, or `verbs urls paths`; `core` is the group without a name. */
function ruleLine({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs }: Rule): string {
  if (nonResourceURLs) return `${verbs.join()} urls ${nonResourceURLs.join()}`
  const words = [verbs, apiGroups.map((group) => group || 'core'), resources, resourceNames]
  return words
    .filter((word) => word.length > 0)
    .map((word) => word.join())
    .join(' ')
}

/** Subjects as `Kind name` or `Kind namespace/name`. */
function binding({ roleRef, subjects = [] }: Found): unknown {
  const lines = subjects.map(
    ({ kind, name, namespace }) => `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`,
  )
  return { role: `${roleRef?.kind} ${roleRef?.name}`, subjects: lines }
}
