// The annotation api-approved.kubernetes.io, which groups of the Kubernetes community need. Validation and the
// definition controller use it.

import type { Definition } from './definition.ts'

const POLICY = 'https://github.com/kubernetes/enhancements/pull/1111'
export const APPROVAL_ANNOTATION = 'api-approved.kubernetes.io'

interface Approval {
  readonly state: 'Approved' | 'Unapproved' | 'Missing' | 'Invalid'
  readonly message: string
}

/** Undefined for groups that need no approval. */
export function approvalOf({ metadata, spec }: Definition): Approval | undefined {
  if (!isProtected(spec.group)) return undefined
  const value = metadata.annotations?.[APPROVAL_ANNOTATION] ?? ''
  const wanted = `protected groups must have approval annotation "${APPROVAL_ANNOTATION}"`
  if (value === '') return { state: 'Missing', message: `${wanted}, see ${POLICY}` }
  if (value.startsWith('unapproved')) return { state: 'Unapproved', message: `not approved: "${value}"` }
  if (isUrl(value)) return { state: 'Approved', message: `approved in ${value}` }
  const choice = `${wanted} with either a URL or a reason starting with "unapproved"`
  return { state: 'Invalid', message: `${choice}, see ${POLICY}` }
}

function isProtected(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((domain) => group === domain || group.endsWith(`.${domain}`))
}

function isUrl(value: string): boolean {
  return URL.canParse(value) && new URL(value).host !== ''
}
