// Whether a write is a step of its object's history, or minor: a status, a heartbeat, a controller's mark. The commit tells
// the store. Pure; it runs with every write, so it compares as little as it can.

import { deepEqual, type KubeObject } from '@homeostat/meta'
import { ADMINISTRATOR, type User } from '../identity/user.ts'
import type { ResourceType } from './resource-type.ts'

/** `next` is undefined for a deletion, `old` for a create. */
export function isMinorChange(
  type: ResourceType,
  next: KubeObject | undefined,
  old: KubeObject | undefined,
  { user, subresource }: { readonly user: User; readonly subresource?: string | undefined },
): boolean {
  if (!type.keepsHistory) return true
  if (next === undefined || old === undefined) return false
  if (type.strategy.generation) return next.metadata.generation === old.metadata.generation
  if (subresource === 'status' || next === old) return true
  return (
    !(differsOutside(next, old) || !deepEqual(next.metadata.labels, old.metadata.labels)) &&
    deepEqual(annotationsOfPeople(next, user), annotationsOfPeople(old, user))
  )
}

/** Anything but metadata and status. */
function differsOutside(next: KubeObject, old: KubeObject): boolean {
  for (const key of Object.keys({ ...next, ...old }))
    if (key !== 'metadata' && key !== 'status' && !deepEqual(next[key], old[key])) return true
  return false
}

const NONE = {}

/** Controllers mark objects, some of them every few seconds: service accounts and components, under names of their own. */
function annotationsOfPeople({ metadata: { annotations } }: KubeObject, { username }: User): object {
  if (annotations === undefined || isComponent(username)) return NONE
  const own = Object.entries(annotations).filter(([name]) => !RESERVED.test(name))
  return own.length === 0 ? NONE : Object.fromEntries(own)
}

function isComponent(username: string): boolean {
  return username.startsWith('system:') && username !== ADMINISTRATOR.username
}

/** The domains of controllers. kubectl writes for people; what it last applied differs only with the rest. */
const RESERVED = /^(?:[^/]*\.)?(?:kubernetes\.io|k8s\.io|homeostat\.dev|colonies\.io)\//
