// GET of a collection: chooses the snapshot, the objects of it, and the list's metadata. Reads the store only for a
// revision that memory does not keep.

import { badRequest } from '@homeostat/meta'
import { expired, forbiddenField, invalidOptions, notSupported, tooLargeResourceVersion } from '@homeostat/meta/server'
import { isCompactedError } from '@homeostat/store'
import type { CachedObject } from '../cache/cached-object.ts'
import { ObjectTree, type TreeSnapshot } from '../cache/object-tree.ts'
import { fromEntry } from '../cache/watch-cache.ts'
import { decodeContinue, encodeContinue } from './continue-token.ts'
import { type ObjectFilter, readFields } from './object-filter.ts'
import type { Registry } from './registry.ts'
import type { ResourceType } from './resource-type.ts'

export interface ListQuery {
  readonly limit: number
  readonly continue: string
  readonly resourceVersion: string
  readonly resourceVersionMatch: string
}

/** The contents of a list: every object under the filter's prefix (`objects` undefined), or just these. */
export interface Listed {
  readonly tree: TreeSnapshot
  readonly revision: number
  readonly filter: ObjectFilter
  readonly objects: readonly CachedObject[] | undefined
  readonly continue: string
  readonly remaining: number | undefined
}

export async function listObjects(
  registry: Registry,
  type: ResourceType,
  filter: ObjectFilter,
  query: ListQuery,
): Promise<Listed> {
  checkListQuery(query)
  const { tree, revision, from } = await picture(registry, type, filter, query)
  if (type.converter !== undefined)
    await readFields(type, registry.resource(type), filter, [...tree.objects(filter.prefix, from)])
  if (query.limit <= 0 && from === filter.prefix) {
    const objects = filter.all ? undefined : [...matching(tree, filter, from)]
    return { tree, revision, filter, objects, continue: '', remaining: undefined }
  }
  const objects: CachedObject[] = []
  let next: CachedObject | undefined
  for (const object of matching(tree, filter, from)) {
    if (query.limit > 0 && objects.length === query.limit) {
      next = object
      break
    }
    objects.push(object)
  }
  if (!next) return { tree, revision, filter, objects, continue: '', remaining: undefined }
  registry.pages.keep(type.storage, revision, tree)
  const start = `${objects.at(-1)?.name}\0`
  const remaining = filter.all ? tree.rank(`${filter.prefix}\u{10ffff}`) - tree.rank(start) : undefined
  return { tree, revision, filter, objects, continue: encodeContinue({ revision, start }), remaining }
}

export function parseRevision(text: string): number {
  if (text === '') return 0
  if (!/^(0|[1-9][0-9]{0,15})$/.test(text))
    throw badRequest(
      `invalid resource version "${text}": it must be a whole number, as found in metadata.resourceVersion`,
    )
  return Number(text)
}

function* matching(tree: TreeSnapshot, filter: ObjectFilter, from: string): Generator<CachedObject> {
  for (const object of tree.objects(filter.prefix, from)) if (filter.all || filter.matches(object)) yield object
}

export function checkListQuery(query: Pick<ListQuery, 'continue' | 'resourceVersion' | 'resourceVersionMatch'>): void {
  const { resourceVersionMatch: match, resourceVersion: version } = query
  if (match === '') return
  const causes = []
  if (version === '')
    causes.push(
      forbiddenField('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided'),
    )
  else if (query.continue !== '')
    causes.push(forbiddenField('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided'))
  else if (match !== 'Exact' && match !== 'NotOlderThan')
    causes.push(notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan']))
  else if (match === 'Exact' && version === '0')
    causes.push(
      forbiddenField('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
    )
  if (causes.length > 0) throw invalidOptions('ListOptions', causes)
}

interface Picture {
  readonly tree: TreeSnapshot
  readonly revision: number
  readonly from: string
}

async function picture(
  registry: Registry,
  type: ResourceType,
  filter: ObjectFilter,
  query: ListQuery,
): Promise<Picture> {
  if (query.continue !== '') {
    const token = decodeContinue(query.continue, filter.prefix)
    if (query.resourceVersion !== '' && query.resourceVersion !== '0')
      throw badRequest('specifying resource version is not allowed when using continue')
    // Another server may have given the token.
    if (token.revision < 0 || token.revision > registry.cache.revision) await registry.freshness?.newest()
    if (token.revision < 0) return { ...newest(registry, type), from: token.start }
    if (token.revision > registry.cache.revision)
      throw badRequest('continue key is not valid: its revision has not been reached')
    const tree = await exactly(
      registry,
      type,
      token.revision,
      PAGES_EXPIRED,
      encodeContinue({ revision: -1, start: token.start }),
    )
    return { tree, revision: token.revision, from: token.start }
  }
  const asked = parseRevision(query.resourceVersion)
  if (asked > registry.cache.revision) throw tooLargeResourceVersion(asked, registry.cache.revision)
  const exact =
    query.resourceVersionMatch === 'Exact' || (query.resourceVersionMatch === '' && query.limit > 0 && asked > 0)
  if (!exact || asked === registry.cache.revision) return { ...newest(registry, type), from: filter.prefix }
  const tree = await exactly(registry, type, asked, `The resourceVersion for the provided list is too old: ${asked}.`)
  return { tree, revision: asked, from: filter.prefix }
}

/** The text of Kubernetes; clients compare it. */
const PAGES_EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
  'deleted between the time the first chunk was returned and now may show up in the list.'

function newest(registry: Registry, type: ResourceType): { tree: TreeSnapshot; revision: number } {
  return { tree: registry.resource(type).tree.snapshot(), revision: registry.cache.revision }
}

async function exactly(
  registry: Registry,
  type: ResourceType,
  revision: number,
  tooOld: string,
  restart?: string,
): Promise<TreeSnapshot> {
  if (revision === registry.cache.revision) return registry.resource(type).tree.snapshot()
  // Check the horizon first: the answer must depend on the revision's age, not on which snapshots happen to be kept.
  if (revision < (await registry.store.horizon())) {
    registry.pages.forget(type.storage, revision)
    throw expired(tooOld, restart)
  }
  try {
    return registry.pages.at(type.storage, revision) ?? (await fromHistory(registry, type, revision))
  } catch (error) {
    if (isCompactedError(error)) throw expired(tooOld, restart)
    throw error
  }
}

/** The resource at a past revision, read from the store. */
async function fromHistory(registry: Registry, type: ResourceType, revision: number): Promise<TreeSnapshot> {
  const prefix = `${type.storage}/`
  const objects: CachedObject[] = []
  let after: string | undefined
  for (;;) {
    const page = await registry.store.range(prefix, { limit: 500, revision, ...(after !== undefined && { after }) })
    for (const entry of page.entries) objects.push(fromEntry(entry, entry.key.slice(prefix.length)))
    if (!page.more) return ObjectTree.fromSorted(objects).snapshot()
    after = page.entries.at(-1)?.key
  }
}
