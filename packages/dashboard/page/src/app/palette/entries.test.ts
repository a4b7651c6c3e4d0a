import { expect, test } from 'vitest'
import type { Kind } from '../../kinds/kind.ts'
import { entriesOf, withNamespace } from './entries.ts'

const kind = (group: string, name: string): Kind =>
  ({
    group,
    version: 'v1',
    kind: name,
    resource: `${name.toLowerCase()}s`,
    shortNames: ['x'],
    namespaced: true,
    verbs: ['list'],
  }) as never

const OFFERED = {
  kinds: [kind('', 'ConfigMap'), kind('example.com', 'Site')],
  namespaces: ['dev'],
  views: [{ name: 'mine', path: '/kinds/-/v1/pods?q=a' }],
  objects: [{ kind: kind('', 'ConfigMap'), namespace: 'dev', name: 'a b' }],
  actions: [{ title: 'Dark colours', act: () => {} }],
  ns: 'dev',
  path: '/server?ns=prod&x=1',
}

test('everything has a place of its own, which keeps the namespace', () => {
  const entries = entriesOf(OFFERED)
  const go = (title: string) => entries.find((entry) => entry.title === title)?.go
  expect(go('ConfigMap')).toBe('/kinds/-/v1/configmaps?ns=dev')
  expect(go('Site')).toBe('/kinds/example.com/v1/sites?ns=dev')
  expect(go('a b')).toBe('/objects/-/v1/configmaps/dev/a%20b?ns=dev')
  expect(go('mine')).toBe('/kinds/-/v1/pods?q=a')
  expect(go('dev')).toBe('/server?ns=dev&x=1')
  expect(go('all namespaces')).toBe('/server?x=1')
  expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length)
})

test('a server without a colony has no screens of one', () => {
  const titles = entriesOf(OFFERED).map(({ title }) => title)
  expect(titles).toContain('Server')
  expect(titles).not.toContain('Queue')
  expect(withNamespace('/', '')).toBe('/')
})
