import type { ApiObject } from '@homeostat/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { handledDefinition, type TestCommand, testCommand } from '../colony.fixture.ts'

let command: TestCommand
beforeAll(async () => {
  command = await testCommand()
})
afterAll(() => command[Symbol.asyncDispose]())

const CRDS = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' } as const

const deployments = {
  apiVersion: 'colonies.io/v1',
  kind: 'ResourceDefinition',
  metadata: { name: 'executordeployments.compute.colonies.io' },
  spec: {
    group: 'compute.colonies.io',
    version: 'v1',
    names: { kind: 'ExecutorDeployment', plural: 'executordeployments', shortNames: ['ed'] },
    scope: 'Namespaced',
    handler: {
      executorType: 'executor-deployment-controller',
      functionName: 'reconcile_executor_deployment',
      reconcileInterval: 30,
    },
  },
}

test('a definition of colonies.io becomes a kind, is listed with its handler, shown and deleted', async () => {
  const { homeostat, withInput, client } = command
  const created = await withInput(deployments, 'crd', 'create', '-f', '-')
  expect(created).toEqual({
    code: 0,
    error: '',
    out:
      'executordeployments.compute.colonies.io created: ExecutorDeployment, ' +
      'handled by executor-deployment-controller/reconcile_executor_deployment\n',
  })
  const { out } = await homeostat('crd', 'list')
  const [head, ...rows] = out.trimEnd().split('\n')
  expect(head).toMatch(/^NAME +KIND +VERSION +SCOPE +HANDLER +AGE$/)
  expect(rows.find((row) => row.startsWith('executordeployments'))).toMatch(
    /ExecutorDeployment +v1 +Namespaced +executor-deployment-controller\/reconcile_executor_deployment +\d+s$/,
  )
  expect(rows.find((row) => row.startsWith('processes.colonies.io'))).toMatch(/Process +v1 +Namespaced +- +\d+s$/)
  expect((await homeostat('crd', 'list', '-o', 'wide')).out).toMatch(/ 30s +ed +ResourceDefinition /)
  // By its name, its kind, its plural, a short name.
  for (const word of ['executordeployments.compute.colonies.io', 'ExecutorDeployment', 'executordeployments', 'ed']) {
    expect((await homeostat('crd', 'get', word)).out).toBe(
      [
        'Name:             executordeployments.compute.colonies.io',
        'Group:            compute.colonies.io',
        'Version:          v1',
        'Kind:             ExecutorDeployment',
        'Scope:            Namespaced',
        'Short Names:      ed',
        'Handler Type:     executor-deployment-controller',
        'Handler Function: reconcile_executor_deployment',
        'Interval:         30s',
        'Established:      yes',
        'Instances:        0\n',
      ].join('\n'),
    )
  }
  expect(JSON.parse((await homeostat('crd', 'get', 'ed', '-o', 'json')).out)).toMatchObject({
    ...CRDS,
    metadata: { name: 'executordeployments.compute.colonies.io' },
  })
  expect((await homeostat('crd', 'list', '-o', 'name')).out).toContain(
    'customresourcedefinition.apiextensions.k8s.io/executordeployments.compute.colonies.io\n',
  )
  const deleted = await homeostat('crd', 'delete', 'ed')
  expect(deleted).toEqual({ code: 0, error: '', out: 'executordeployments.compute.colonies.io deleted\n' })
  // What it was made from is gone too, else it would come back.
  const { items } = await client.resource('colonies.io/v1', 'ResourceDefinition').list()
  expect(items).toEqual([])
})

test('several definitions of a file are created; one that is there already says how to change it', async () => {
  const { withInput } = command
  const file = [handledDefinition('One', 'several.io'), handledDefinition('Two', 'several.io')]
  const text = file.map((one) => JSON.stringify(one)).join('\n---\n')
  expect(await withInput(text, 'crd', 'create', '-f', '-')).toMatchObject({
    code: 0,
    out: 'ones.several.io created: One, without a handler\ntwos.several.io created: Two, without a handler\n',
  })
  const list = { apiVersion: 'v1', kind: 'List', items: [file[0], handledDefinition('Three', 'several.io')] }
  const again = await withInput(list, 'crd', 'create', '-f', '-')
  expect(again).toEqual({
    code: 1,
    error: 'homeostat: the definition ones.several.io exists already; `homeostat apply -f -` changes it\n',
    out: 'threes.several.io created: Three, without a handler\n',
  })
})

test('a definition that the colony refuses is reported with the reason, and nothing is left of it', async () => {
  const { homeostat, withInput } = command
  const wrong = { ...deployments, metadata: { name: 'wrong.compute.colonies.io' } }
  const { code, error } = await withInput(wrong, 'crd', 'create', '-f', '-')
  expect(error).toMatch(
    /wrong\.compute\.colonies\.io was not accepted, and nothing was created: InvalidName: .*executordeployments/,
  )
  expect(code).toBe(1)
  expect(await homeostat('crd', 'delete', 'wrong.compute.colonies.io')).toMatchObject({ code: 3 })
})

test('where two definitions want one name, it is asked which one is to be deleted', async () => {
  const { homeostat, withInput } = command
  await withInput(handledDefinition('Site', 'twice.io'), 'crd', 'create', '-f', '-')
  const { group, plural } = { group: 'twice.io', plural: 'sites' }
  const spec = { group, version: 'v1', names: { kind: 'Site', plural } }
  const late = { ...deployments, metadata: { name: 'sites.twice.io' }, spec }
  expect((await withInput(late, 'crd', 'create', '-f', '-')).error).toContain('NamesConflict')
  // As kubectl leaves it.
  await command.client.resourceOf('colonies.io/v1', 'ResourceDefinition').create(late as ApiObject)
  const { code, error } = await homeostat('crd', 'delete', 'sites.twice.io')
  expect(error).toContain(
    '`homeostat delete resourcedefinitions.colonies.io sites.twice.io` or `homeostat delete crd sites',
  )
  expect(code).toBe(1)
})

test('a definition with instances is kept, unless they may go with it', async () => {
  const { homeostat, withInput, client } = command
  await withInput(handledDefinition('Wheel', 'cascade.io'), 'crd', 'create', '-f', '-')
  const wheels = client.resource('cascade.io/v1', 'Wheel')
  for (const name of ['a', 'b', 'c']) await wheels.create({ metadata: { name, namespace: 'default' } })
  const finalizers = ['cascade.io/brake']
  await wheels.create({ metadata: { name: 'slow', namespace: 'default', finalizers } })
  const refused = await homeostat('crd', 'delete', 'wheel')
  expect(refused.error).toMatch(/wheels\.cascade\.io has 4 instances; delete them first, or add --cascade/)
  expect(refused.code).toBe(1)
  expect((await wheels.list()).items).toHaveLength(4)

  const { code, error } = await command.timedOut(
    /waiting: 1 of 4 /,
    'crd',
    'delete',
    'wheel',
    '--cascade',
    '--timeout',
    '100ms',
  )
  expect(error).toBe(
    'homeostat: the time of 100ms is up: 1 of 4 Wheel left, default/slow first; they wait for their finalizers\n',
  )
  expect(code).toBe(6)
  const terminal = command.terminal({ errorColumns: 200 })
  const { runOn } = await import('../../terminal.fixture.ts')
  const deleting = runOn(terminal, ['crd', 'delete', 'wheel', '--cascade'])
  await terminal.until(/waiting: 1 of 1 Wheel left/)
  await wheels.patch({ name: 'slow', namespace: 'default' }, { metadata: { finalizers: null } })
  expect(await deleting).toMatchObject({ code: 0, out: 'wheels.cascade.io deleted\n' })
  expect(await client.resource(CRDS.apiVersion, CRDS.kind).find({ name: 'wheels.cascade.io' })).toBeUndefined()
})

test.each([
  [['crd', 'create'], 2, /name the file: homeostat crd create -f FILE, or -f - for standard input/],
  [['crd', 'create', '-f', '/no/such/file'], 1, /\/no\/such\/file could not be read: ENOENT/],
  [['crd', 'get'], 2, /name the one: homeostat crd get NAME/],
  [['crd', 'get', 'nothing'], 3, /there is no definition 'nothing'; homeostat crd list shows/],
  [['crd', 'get', 'no.thing'], 3, /there is no definition 'no.thing'/],
  [['crd', 'list', 'x'], 2, /unexpected argument 'x'/],
  [['crd', 'fly'], 2, /there is no verb 'fly' of crd; there are create, list, get, migrate, delete/],
  [['crd', 'list', '-o', 'xml'], 2, /--output xml: must be one of json, yaml, wide, name/],
  [
    ['crd', 'list', '--server', 'http://127.0.0.1:1'],
    1,
    /no server answers at http:\/\/127\.0\.0\.1:1; start one with `ho/,
  ],
  [['crd', 'list', '--server', 'here'], 1, /"here" is not the URL of a server/],
  [['crd', 'list', '--kubeconfig', '/no/such/file'], 1, /there is no kubeconfig at \/no\/such\/file/],
])('%j says in one line what is wrong', async (argv, code, message) => {
  const shown = await command.homeostat(...argv)
  expect(shown.error).toMatch(message)
  expect(shown.error.trimEnd()).not.toContain('\n')
  expect(shown.code).toBe(code)
})

test.each([
  ['{"a":', /standard input is neither JSON nor YAML/],
  ['', /standard input has no object in it/],
  ['{"a":1}', /standard input:1: apiVersion and kind are missing/],
  ['{"kind":"X"}', /standard input:1: apiVersion is missing; without it nobody knows what it is/],
  ['{"apiVersion":"v1"}', /standard input:1: kind is missing/],
  ['{"apiVersion":"v1","kind":"Pod"}', /:1: the Pod has no metadata\.name/],
  ['{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}', /Pod\/a is no definition; a resource is created with/],
])('a file that says %j is refused', async (input, message) => {
  const { error, code } = await command.withInput(input, 'crd', 'create', '-f', '-')
  expect(error).toMatch(message)
  expect(code).toBe(1)
})
