import { expect, it } from 'vitest'
import { missingRules, readRecorded, recordedLine, ruleText } from './recorded-access.ts'

const site = ['ex.io/Site']
const line = (verb: string, resource: string, group = '', kinds = site) =>
  recordedLine(kinds, { verb, group, resource, namespace: 'a', name: 'b' })

it('a request is one line, whatever its name and namespace', () => {
  expect(line('get', 'configmaps')).toBe('{"kinds":["ex.io/Site"],"verb":"get","group":"","resource":"configmaps"}')
  const status = recordedLine(['b/B', 'a/A'], { verb: 'patch', group: 'a', resource: 'as', subresource: 'status' })
  expect(status).toBe('{"kinds":["a/A","b/B"],"verb":"patch","group":"a","resource":"as/status"}')
  expect(readRecorded(`${line('get', 'configmaps')}\nno line\n{"kinds":1}\n`)).toHaveLength(1)
})

it('names what no rule allows, with the right to prune what is applied', () => {
  const lines = [
    line('watch', 'configmaps'),
    line('list', 'configmaps'),
    line('create', 'deployments', 'apps'),
    line('patch', 'deployments', 'apps'),
    line('get', 'secrets'),
    line('create', 'customresourcedefinitions', 'apiextensions.k8s.io'),
    line('get', 'pods', '', ['ex.io/Other']),
  ]
  const rules = [
    { apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['license'] },
    { apiGroups: [''], resources: ['configmaps'], verbs: ['list'], namespaces: ['elsewhere'] },
  ]
  expect(missingRules(readRecorded(lines.join('\n')), ['ex.io/Site', 'ex.io/Page'], rules).map(ruleText)).toEqual([
    "{ apiGroups: [''], resources: ['configmaps'], verbs: ['watch'] },",
    "{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['create', 'patch', 'delete'] },",
  ])
})
