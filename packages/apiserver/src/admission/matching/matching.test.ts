// Which writes webhooks and policies take: rules, scopes, selectors, exclusions and other versions.

import type { KubeObject } from '@homeostat/meta'
import { encodeObject } from '@homeostat/meta/server'
import { describe, expect, it } from 'vitest'
import { CachedObject } from '../../cache/cached-object.ts'
import type { AdmittedWrite, Operation } from '../../registry/admission-step.ts'
import type { ResourceType } from '../../registry/resource-type.ts'
import type { CachedObjects } from '../cached-objects.ts'
import { type MatchCriteria, policyCriteria, webhookCriteria } from './match-criteria.ts'
import { MatchIndex } from './match-index.ts'
import { MatchedWrite } from './matched-write.ts'
import { RequestMatcher } from './request-matcher.ts'
import { ServedVersions } from './served-versions.ts'

type Names = Pick<ResourceType, 'group' | 'version' | 'resource' | 'storage' | 'namespaced'>

const typed = (names: Names) => names as ResourceType
const v1 = typed({ group: 'apps', version: 'v1', resource: 'sets', storage: 'apps/sets', namespaced: true })
const v2 = typed({ ...v1, version: 'v2' })
const old = typed({ ...v1, group: 'extensions', version: 'v1beta1' })
const node = typed({ group: '', version: 'v1', resource: 'nodes', storage: 'core/nodes', namespaced: false })
const namespaces = typed({ ...node, resource: 'namespaces', storage: 'core/namespaces' })
const served = { all: () => [v1, v2, old, node, namespaces], generation: 1 }
const versions = new ServedVersions(served)

function cachedNamespace(name: string, labels: Record<string, string>): CachedObject {
  const value = encodeObject({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } })
  return CachedObject.fromValue(`core/namespaces/${name}`, name, 1, value)
}

interface Given {
  readonly type?: ResourceType
  readonly subresource?: string
  readonly operation?: Operation
  readonly name?: string
  readonly generatesName?: boolean
  readonly metadata?: KubeObject['metadata']
  readonly old?: KubeObject['metadata']
  readonly namespace?: Record<string, string>
}

const stored = new Map<object, CachedObject>()

function write(given: Given = {}): MatchedWrite {
  const { type = v1, operation = 'CREATE', metadata = { name: 'a' }, namespace = {}, generatesName = false } = given
  const place = stored.get(namespace) ?? cachedNamespace('ns', namespace)
  stored.set(namespace, place)
  const cached = { resource: () => ({ tree: { get: () => place } }) } as unknown as CachedObjects
  const object = { apiVersion: 'v1', kind: 'X', metadata }
  const before = given.old && { ...object, metadata: given.old }
  const request = {
    type,
    subresource: given.subresource,
    name: given.name,
    namespace: type.namespaced ? 'ns' : undefined,
  }
  return new MatchedWrite(
    { operation, object, old: before, request, generatesName } as unknown as AdmittedWrite,
    cached,
  )
}

const rule = (more: object = {}) => ({
  apiGroups: ['apps'],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['sets'],
  ...more,
})
const matcher = (criteria: MatchCriteria) => new RequestMatcher(criteria, versions)
const policy = (match: object) => matcher(policyCriteria(match))
const takes = (more: object, given: Given = {}) => policy({ resourceRules: [rule(more)] }).match(write(given))

describe('rules', () => {
  it.each<[string, object, Given, boolean]>([
    ['all of it named', {}, {}, true],
    ['another group', { apiGroups: ['other'] }, {}, false],
    ['every group', { apiGroups: ['*'] }, {}, true],
    ['another operation', {}, { operation: 'DELETE', old: {} }, false],
    ['every operation', { operations: ['*'] }, { operation: 'DELETE', old: {} }, true],
    ['another resource', { resources: ['pods'] }, {}, false],
    ['a subresource, by the resource', {}, { subresource: 'status' }, false],
    ['a subresource, by *', { resources: ['*'] }, { subresource: 'status' }, false],
    ['a subresource, by its name', { resources: ['sets/status'] }, { subresource: 'status' }, true],
    ['a subresource, by sets/*', { resources: ['sets/*'] }, { subresource: 'status' }, true],
    ['a subresource, by */status', { resources: ['*/status'] }, { subresource: 'status' }, true],
    ['the resource, by sets/*', { resources: ['sets/*'] }, {}, true],
    ['the resource, by sets/status', { resources: ['sets/status'] }, {}, false],
    ['namespaced', { scope: 'Namespaced' }, {}, true],
    ['of the cluster', { scope: 'Cluster' }, {}, false],
    ['a node, of the cluster', { apiGroups: ['*'], resources: ['*'], scope: 'Cluster' }, { type: node }, true],
    ['a node, namespaced', { apiGroups: ['*'], resources: ['*'], scope: 'Namespaced' }, { type: node }, false],
    ['a namespace', { apiGroups: [''], resources: ['namespaces'], scope: 'Cluster' }, { type: namespaces }, true],
    ['another name', { resourceNames: ['b'] }, { name: 'a' }, false],
    ['its name', { resourceNames: ['b', 'a'] }, { name: 'a' }, true],
    ['its name in a create', { resourceNames: ['a'] }, {}, true],
    ['a generated name', { resourceNames: ['a-1'] }, { metadata: { name: 'a-1' }, generatesName: true }, false],
  ])('%s', (_, more, given, expected) => {
    expect(takes(more, given) !== undefined).toBe(expected)
  })

  it('a webhook without rules takes nothing, a binding without rules everything', () => {
    expect(matcher(webhookCriteria({})).match(write())).toBeUndefined()
    expect(matcher(policyCriteria(undefined)).match(write())).toBe(v1)
  })
})

describe('versions', () => {
  it('a rule for another version takes the write in that version', () => {
    expect(takes({}, { type: v2 })).toBe(v1)
    expect(takes({}, { type: old })).toBe(v1)
  })

  it('a rule for the version itself comes first, wherever it stands', () => {
    const both = policy({ resourceRules: [rule({ apiVersions: ['v2'] }), rule()] })
    expect(both.match(write())).toBe(v1)
    expect(both.match(write({ type: v2 }))).toBe(v2)
  })

  it('Exact takes no other version', () => {
    const exact = policy({ matchPolicy: 'Exact', resourceRules: [rule()] })
    expect(exact.match(write({ type: v2 }))).toBeUndefined()
    expect(exact.match(write())).toBe(v1)
  })

  it('follows what is served', () => {
    const changing = { all: () => [v1], generation: 1 }
    const late = new RequestMatcher(policyCriteria({ resourceRules: [rule()] }), new ServedVersions(changing))
    const other = typed({ ...v2 })
    expect(late.match(write({ type: typed({ ...v2, storage: 'else/where' }) }))).toBeUndefined()
    changing.all = () => []
    changing.generation++
    expect(late.match(write({ type: other }))).toBeUndefined()
    changing.all = () => [v1, other]
    changing.generation++
    expect(late.match(write({ type: other }))).toBe(v1)
  })
})

it('excluded rules win, also for another version', () => {
  const excluding = policy({ resourceRules: [rule({ apiVersions: ['*'] })], excludeResourceRules: [rule()] })
  expect(excluding.match(write())).toBeUndefined()
  expect(excluding.match(write({ type: v2 }))).toBeUndefined()
  expect(policy({ excludeResourceRules: [rule()] }).match(write({ operation: 'UPDATE', old: {} }))).toBe(v1)
})

describe('selectors', () => {
  const team = { matchLabels: { team: 'a' } }

  it('of namespaces ask the labels of the namespace', () => {
    const one = policy({ namespaceSelector: team, resourceRules: [rule()] })
    expect(one.match(write({ namespace: { team: 'a' } }))).toBe(v1)
    expect(one.match(write({ namespace: { team: 'b' } }))).toBeUndefined()
  })

  it('of namespaces let what is in none through', () => {
    const one = policy({ namespaceSelector: team })
    expect(one.match(write({ type: node }))).toBe(node)
  })

  it('of namespaces ask a Namespace that is written about its new labels', () => {
    const one = policy({ namespaceSelector: team })
    const metadata = { name: 'ns', labels: { team: 'a' } }
    expect(one.match(write({ type: namespaces, metadata }))).toBe(namespaces)
    expect(one.match(write({ type: namespaces, metadata, operation: 'DELETE', old: metadata }))).toBeUndefined()
  })

  it('of objects ask the new labels and the old ones', () => {
    const one = policy({ objectSelector: { matchExpressions: [{ key: 'team', operator: 'Exists' }] } })
    const labelled = { name: 'a', labels: { team: 'a' } }
    expect(one.match(write())).toBeUndefined()
    expect(one.match(write({ metadata: labelled }))).toBe(v1)
    expect(one.match(write({ operation: 'UPDATE', old: labelled }))).toBe(v1)
    expect(one.match(write({ operation: 'DELETE', metadata: labelled, old: {} }))).toBeUndefined()
  })
})

describe('an index', () => {
  const entry = (name: string, match: object) => ({ name, matcher: policy(match) })
  const names = (index: MatchIndex<ReturnType<typeof entry>>, given?: Given) =>
    index.matches(write(given)).map(({ matched }) => matched.name)

  it('has no time for resources that nothing concerns', () => {
    const index = new MatchIndex<ReturnType<typeof entry>>(versions)
    expect(index.concerns({ type: v1, subresource: undefined, namespace: 'ns' })).toBe(false)
    index.replace([entry('a', { resourceRules: [rule()] })])
    expect(index.concerns({ type: v1, subresource: undefined, namespace: 'ns' })).toBe(true)
    expect(index.concerns({ type: v1, subresource: 'status', namespace: 'ns' })).toBe(false)
    expect(index.concerns({ type: node, subresource: undefined, namespace: undefined })).toBe(false)
  })

  it('finds what takes the write, in order, and forgets what was replaced', () => {
    const index = new MatchIndex<ReturnType<typeof entry>>(versions)
    const [a, b, c] = ['a', 'b', 'c'].map((name) => entry(name, { resourceRules: [rule()] }))
    index.replace([a, b, c] as (typeof a & object)[])
    expect(names(index)).toEqual(['a', 'b', 'c'])
    index.replace([c] as (typeof a & object)[])
    expect(names(index)).toEqual(['c'])
  })

  it('remembers a namespace until it changes', () => {
    const index = new MatchIndex<ReturnType<typeof entry>>(versions)
    index.replace([entry('a', { namespaceSelector: { matchLabels: { team: 'a' } }, resourceRules: [rule()] })])
    const labels = { team: 'a' }
    expect(names(index, { namespace: labels })).toEqual(['a'])
    expect(names(index, { namespace: labels })).toEqual(['a'])
    expect(names(index, { namespace: { team: 'b' } })).toEqual([])
  })

  it('concerns only writes in namespaces that its entries take', () => {
    const index = new MatchIndex<ReturnType<typeof entry>>(versions)
    index.replace([entry('a', { namespaceSelector: { matchLabels: { team: 'a' } }, resourceRules: [rule()] })])
    const request = { type: v1, subresource: undefined, namespace: 'ns' }
    expect(index.concerns(request, cachedNamespace('ns', { team: 'a' }))).toBe(true)
    expect(index.concerns(request, cachedNamespace('ns', { team: 'b' }))).toBe(false)
    expect(index.concerns(request)).toBe(true)
  })

  it('never asks anybody about the kinds that configure admission', () => {
    const index = new MatchIndex<ReturnType<typeof entry>>(versions)
    index.replace([entry('a', {})])
    for (const resource of ['validatingadmissionpolicies', 'mutatingwebhookconfigurations']) {
      const type = typed({ ...node, group: 'admissionregistration.k8s.io', resource, storage: resource })
      expect(index.concerns({ type, subresource: undefined, namespace: undefined })).toBe(false)
    }
  })
})
