import { describe, expect, it } from 'vitest'
import type { User } from '../identity/user.ts'
import type { Attributes } from './authorize.ts'
import { grantLine } from './grant-line.ts'
import { grantHint, refusal } from './require-permission.ts'

const jane: User = { username: 'jane', groups: ['system:authenticated'] }
const robot: User = { username: 'system:serviceaccount:lab:robot', groups: ['system:authenticated'] }
const nobody: User = { username: 'system:anonymous', groups: ['system:unauthenticated'] }

const on = (verb: string, resource: string, more: object = {}): Attributes => ({
  verb,
  group: '',
  resource,
  subresource: '',
  namespace: '',
  name: '',
  ...more,
})

describe('the line that grants what was missing', () => {
  it.each<[string, User, Attributes, string]>([
    [
      'in a namespace, for a named object',
      jane,
      on('get', 'secrets', { namespace: 'lab', name: 'key' }),
      'kubectl create role jane-get-secrets-key --verb=get --resource=secrets --resource-name=key --namespace=lab && ' +
        'kubectl create rolebinding jane-get-secrets-key --role=jane-get-secrets-key --user=jane --namespace=lab',
    ],
    [
      'for a subresource of another group, to a service account',
      robot,
      on('create', 'executors', { group: 'colonies.io', subresource: 'assign', namespace: 'lab', name: 'e1' }),
      'kubectl create role lab-robot-create-executors-assign-e1 --verb=create --resource=executors.colonies.io/assign ' +
        '--resource-name=e1 --namespace=lab && kubectl create rolebinding lab-robot-create-executors-assign-e1 ' +
        '--role=lab-robot-create-executors-assign-e1 --serviceaccount=lab:robot --namespace=lab',
    ],
    [
      'everywhere',
      jane,
      on('list', 'pods'),
      'kubectl create clusterrole jane-list-pods --verb=list --resource=pods && ' +
        'kubectl create clusterrolebinding jane-list-pods --clusterrole=jane-list-pods --user=jane',
    ],
    [
      'without the name of what is created',
      jane,
      on('create', 'pods', { name: 'x' }),
      'kubectl create clusterrole jane-create-pods --verb=create --resource=pods && ' +
        'kubectl create clusterrolebinding jane-create-pods --clusterrole=jane-create-pods --user=jane',
    ],
    [
      'for a path',
      jane,
      { verb: 'get', path: '/metrics' },
      'kubectl create clusterrole jane-get-metrics --verb=get --non-resource-url=/metrics && ' +
        'kubectl create clusterrolebinding jane-get-metrics --clusterrole=jane-get-metrics --user=jane',
    ],
  ])('is %s', (_, user, attributes, line) => {
    expect(grantLine(user, attributes)).toBe(line)
  })

  it('is quoted, so that names of strangers run nothing in the shell of an administrator', () => {
    const eve = { username: "eve'; rm -rf ~ #", groups: [] }
    expect(grantLine(eve, { verb: 'get', path: '/$(reboot)' })).toBe(
      "kubectl create clusterrole eve-rm-rf-get-reboot --verb=get --non-resource-url='/$(reboot)' && " +
        "kubectl create clusterrolebinding eve-rm-rf-get-reboot --clusterrole=eve-rm-rf-get-reboot --user='eve'\\''; rm -rf ~ #'",
    )
  })

  it.each<[string, User, Attributes]>([
    ['anonymous users', nobody, on('list', 'pods')],
    ['a method that is no verb', jane, on('', 'pods')],
    ['names with control characters', { username: 'a\nb', groups: [] }, on('list', 'pods')],
    ['names of another alphabet', { username: 'Ädä', groups: [] }, on('list', 'pods')],
    ['names without an end', jane, on('get', 'pods', { name: 'x'.repeat(2000) })],
  ])('is not made for %s', (_, user, attributes) => {
    expect(grantLine(user, attributes)).toBeUndefined()
    expect(grantHint(refusal(user, attributes))).toBeUndefined()
    expect(refusal(user, attributes).status.details).not.toHaveProperty('causes')
  })

  it('stands beside the message of Kubernetes, not in it', () => {
    const { message, status } = refusal(jane, on('list', 'pods'))
    expect(message).toBe(
      'pods is forbidden: User "jane" cannot list resource "pods" in API group "" at the cluster scope',
    )
    expect(status.details?.causes).toEqual([
      { reason: 'MissingRule', message: expect.stringMatching(/^kubectl create clusterrole /), field: '' },
    ])
  })
})
