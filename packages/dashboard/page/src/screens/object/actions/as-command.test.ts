// Commands to paste, also for names that a shell would take apart.

import { expect, test } from 'vitest'
import type { Kind } from '../../../kinds/kind.ts'
import { curlCommand, kubectlCommand } from './as-command.ts'

const kind = { group: 'past.io', version: 'v1', resource: 'lamps', kind: 'Lamp' } as Kind

test('an object is named by kind, namespace and name', () => {
  const desk = { namespace: 'default', name: 'desk' }
  expect(kubectlCommand(kind, desk)).toBe('kubectl get lamps.past.io desk -n default -o yaml')
  expect(kubectlCommand({ ...kind, group: '', resource: 'nodes' }, { namespace: undefined, name: 'a' })).toBe(
    'kubectl get nodes a -o yaml',
  )
  expect(curlCommand(kind, desk, { root: 'http://127.0.0.1:1', wantsToken: false })).toBe(
    'curl http://127.0.0.1:1/apis/past.io/v1/namespaces/default/lamps/desk',
  )
  expect(curlCommand(kind, desk, { root: 'https://a.b/ui/api', wantsToken: true })).toBe(
    'curl -H "Authorization: Bearer $TOKEN" https://a.b/ui/api/apis/past.io/v1/namespaces/default/lamps/desk',
  )
})

test('no name becomes a command of its own', () => {
  const name = `a'; rm -rf "$HOME`
  expect(kubectlCommand(kind, { namespace: undefined, name })).toContain(`'a'\\''; rm -rf "$HOME'`)
})
