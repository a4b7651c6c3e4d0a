import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import type { ApiObject } from '@homeostat/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { runOn } from '../../terminal.fixture.ts'
import { handledDefinition, type TestCommand, testCommand } from '../colony.fixture.ts'
import { answers, requestText } from './reconcile.ts'

const handler = { executorType: 'shop-keeper', functionName: 'reconcile_shop' }
const GROUP = 'shops.io'

let command: TestCommand
beforeAll(async () => {
  command = await testCommand()
  const definitions = [
    handledDefinition('Shop', GROUP, handler),
    handledDefinition('Stall', GROUP, handler),
    handledDefinition('Tree', GROUP),
  ]
  const { code } = await command.withInput({ kind: 'List', items: definitions }, 'crd', 'create', '-f', '-')
  expect(code).toBe(0)
})
afterAll(() => command[Symbol.asyncDispose]())

function shop(name: string, namespace?: string, kind = 'Shop') {
  const labels = { colour: name }
  return { apiVersion: `${GROUP}/v1`, kind, metadata: { name, labels, ...(namespace && { namespace }) }, spec: {} }
}

test('a resource is created in the namespace that it says, or that -n says, or the variable', async () => {
  const { withInput } = command
  const create = ['resource', 'create', '-f', '-']
  expect(await withInput(shop('a', 'first'), ...create)).toEqual({
    code: 0,
    out: 'Shop/a created in first\n',
    error: '',
  })
  expect((await withInput(shop('b'), ...create, '-n', 'first')).out).toBe('Shop/b created in first\n')
  const env = { COLONIES_COLONY_NAME: 'first' }
  const input = async () => JSON.stringify([shop('c'), shop('d', 'second')])
  const shown = await runOn(command.terminal({ env, input }), create)
  expect(shown.out).toBe('Shop/c created in first\nShop/d created in second\n')
  expect(await withInput(shop('e', 'first'), ...create, '-n', 'second')).toMatchObject({
    code: 1,
    error: 'homeostat: Shop/e says that it belongs to first; leave -n second out, or change the file\n',
  })
})

test.each([
  [
    shop('a', 'x', 'Cafe'),
    /nothing defines Cafe in shops\.io\/v1; create its definition first: `homeostat crd create -f/,
  ],
  [{ ...shop('a'), apiVersion: 'shops.io/v2' }, /Shop is not served in shops\.io\/v2; write apiVersion: shops\.io\/v1/],
  [
    { ...shop('a'), apiVersion: 'v1', kind: 'Pod' },
    /Pod of v1 is a kind of Kubernetes; `homeostat apply -f - ?` creates/,
  ],
  [{ ...shop('a'), apiVersion: 'apps/v1', kind: 'Deployment' }, /Deployment of apps\/v1 is a kind of Kubernetes/],
  [handledDefinition('A', 'b.io'), /as\.b\.io is a definition; `homeostat crd create -f -` creates it/],
])('what cannot be created says what to do first: %j', async (object, message) => {
  const { code, error } = await command.withInput(object, 'resource', 'create', '-f', '-')
  expect(error).toMatch(message)
  expect(code).toBe(1)
})

test('a kind that the colony refused says why it is not there', async () => {
  const names = { kind: 'Kiosk', plural: 'kiosks' }
  const definition = {
    apiVersion: 'colonies.io/v1',
    kind: 'ResourceDefinition',
    metadata: { name: 'kiosk.shops.io' },
    spec: { group: GROUP, version: 'v1', names },
  }
  // As kubectl leaves it; `crd create` takes it away again.
  const definitions = command.client.resourceOf<ApiObject & { status?: object }>('colonies.io/v1', 'ResourceDefinition')
  await definitions.create(definition as ApiObject)
  await expect.poll(async () => (await definitions.get({ name: 'kiosk.shops.io' })).status).toBeDefined()
  const { error } = await command.withInput(shop('a', 'x', 'Kiosk'), 'resource', 'create', '-f', '-')
  expect(error).toMatch(/the definition kiosk\.shops\.io of Kiosk is there but not in force: InvalidName: /)
})

test('one that is being deleted is not there to be changed, and it is said how to wait for its end', async () => {
  const { withInput, client } = command
  const object = shop('leaving', 'gone')
  await withInput(
    { ...object, metadata: { ...object.metadata, finalizers: ['shops.io/keep'] } },
    'resource',
    'create',
    '-f',
    '-',
  )
  const shops = client.resource(`${GROUP}/v1`, 'Shop')
  await shops.delete({ name: 'leaving', namespace: 'gone' })
  expect((await withInput(object, 'resource', 'create', '-f', '-')).error).toMatch(
    /^homeostat: Shop\/leaving is being deleted in gone; create it again when it is gone: `homeostat wait --for=delete shops\.shops\.io\/leaving -n gone`\n$/,
  )
})

test('all files of a folder are created, in the order of their names', async () => {
  const folder = temporaryFolder()
  const { homeostat } = command
  expect((await homeostat('resource', 'create', '-f', folder)).error).toBe(
    `homeostat: ${folder} has no .json, .yaml or .yml file in it\n`,
  )
  writeFileSync(join(folder, '2.json'), JSON.stringify(shop('second', 'folder')))
  writeFileSync(join(folder, '1.yaml'), `--- \n${JSON.stringify(shop('first', 'folder'))}\n`)
  writeFileSync(join(folder, 'README.md'), 'not an object')
  expect(await homeostat('resource', 'create', '-f', folder)).toMatchObject({
    code: 0,
    out: 'Shop/first created in folder\nShop/second created in folder\n',
  })
})

test('what exists already is changed by apply, and a kind without a handler is warned of', async () => {
  const { withInput } = command
  await withInput(shop('twice', 'again'), 'resource', 'create', '-f', '-')
  expect(await withInput(shop('twice', 'again'), 'resource', 'create', '-f', '-')).toMatchObject({
    code: 1,
    error: 'homeostat: Shop/twice exists already in again; `homeostat apply -f -` changes it\n',
  })
  expect((await withInput(shop('oak', 'again', 'Tree'), 'resource', 'create', '-f', '-', '--wait')).error).toBe(
    'Warning: nobody handles Tree: its definition trees.shops.io names no handler\n',
  )
})

test('a name is searched in all handled kinds, and two of one name are distinguished', async () => {
  const { homeostat, withInput } = command
  const both = [shop('corner', 'search'), shop('corner', 'search', 'Stall'), shop('alone', 'search')]
  await withInput({ kind: 'List', items: both }, 'resource', 'create', '-f', '-')
  const one = await homeostat('resource', 'get', 'alone', '-n', 'search')
  expect(one.out).toMatch(
    /^KIND +NAME +READY +PROGRESSING +GENERATION\/OBSERVED +AGE\nShop +alone +\S+ +\S+ +1\/- +\ds\n$/,
  )
  const two = await homeostat('resource', 'get', 'corner', '-n', 'search')
  expect(two.out).toMatch(/^NAME +READY.*\nShop\/corner .*\nStall\/corner .*\n$/)
  for (const word of ['Stall/corner', 'stalls/corner', 'st/corner', 'stall.shops.io/corner']) {
    const { out } = await homeostat('resource', 'get', word, '-n', 'search', '-o', 'name')
    expect(out).toBe('stall.shops.io/corner\n')
  }
  const { out } = await homeostat('resource', 'get', 'alone', '-n', 'search', '-o', 'yaml')
  expect(parse(out)).toMatchObject({ kind: 'Shop', metadata: { name: 'alone' } })
  expect(out).not.toContain('managedFields')
  const items = JSON.parse((await homeostat('resource', 'get', 'corner', '-n', 'search', '-o', 'json')).out).items
  expect(items).toHaveLength(2)
  for (const verb of ['delete', 'reconcile']) {
    const refused = await homeostat('resource', verb, 'corner', '-n', 'search')
    expect(refused.error).toBe(
      'homeostat: 2 resources have this name; say which: ' +
        `homeostat resource ${verb} Shop/corner, or Stall/corner\n`,
    )
    expect(refused.code).toBe(1)
  }
})

test.each([
  [['get', 'nobody', '-n', 'there'], 3, /no resource 'nobody' is in the namespace there; `homeostat resource list -n/],
  [['get', 'a', '-n', 'there'], 3, /no resource 'a' is in the namespace there; there is one in -n first/],
  [['get', 'cafe/a'], 3, /there is no kind 'cafe'; homeostat crd list/],
  [['get', 'tree/oak'], 1, /tree has no handler; `homeostat get trees\.shops\.io oak` shows/],
  [['get'], 2, /name the one: homeostat resource get NAME/],
  [['get', 'a/'], 3, /there is no kind 'a'/],
  [['list', '-l', '!!'], 1, /./],
])('%j says in one line what is wrong', async (argv, code, message) => {
  await command.withInput(shop('a', 'first'), 'resource', 'create', '-f', '-')
  const shown = await command.homeostat('resource', ...argv)
  expect(shown.error).toMatch(message)
  expect(shown.error.trimEnd()).not.toContain('\n')
  expect(shown.code).toBe(code)
})

test('a list has all handled kinds of a namespace, or of all, with some labels, and says when there are none', async () => {
  const { homeostat, withInput } = command
  const items = [shop('x', 'list'), shop('y', 'list', 'Stall'), shop('x', 'list-too')]
  await withInput({ kind: 'List', items }, 'resource', 'create', '-f', '-')
  const list = async (...argv: string[]) => (await homeostat('resource', 'list', ...argv)).out.trimEnd().split('\n')
  expect((await list('-n', 'list')).map((line) => line.split(/ +/).slice(0, 2))).toEqual([
    ['KIND', 'NAME'],
    ['Shop', 'x'],
    ['Stall', 'y'],
  ])
  const all = await list('-A', '-l', 'colour=x', '-o', 'wide')
  expect(all.map((line) => line.split(/ +/).slice(0, 3))).toEqual([
    ['NAMESPACE', 'KIND', 'NAME'],
    ['list-too', 'Shop', 'x'],
    ['list', 'Shop', 'x'],
  ])
  expect(all[1]).toContain(' shop-keeper/reconcile_shop ')
  expect(await list('-n', 'list', '-o', 'name')).toEqual(['shop.shops.io/x', 'stall.shops.io/y'])
  expect(await homeostat('resource', 'list', '-n', 'empty')).toEqual({
    code: 0,
    out: '',
    error: 'there are no resources in the namespace empty\n',
  })
})

test('a list that is watched shows each change until nobody reads it', async () => {
  const { withInput, client } = command
  await withInput(shop('w', 'watched'), 'resource', 'create', '-f', '-')
  const unread = new AbortController()
  const terminal = command.terminal({ unread: unread.signal })
  const watching = runOn(terminal, ['resource', 'list', '-n', 'watched', '-w'])
  await terminal.until(/Shop +w /)
  const shops = client.resource('shops.io/v1', 'Shop')
  await withInput(shop('w2', 'watched'), 'resource', 'create', '-f', '-')
  await terminal.until(/Shop +w2 /)
  await shops.patch({ name: 'w2', namespace: 'watched' }, { metadata: { finalizers: null } })
  await shops.delete({ name: 'w2', namespace: 'watched' })
  await shops.patch({ name: 'w2', namespace: 'watched' }, { metadata: { finalizers: null } }).catch(() => {})
  await terminal.until(/Shop +w2 +Deleted/)
  unread.abort()
  expect((await watching).code).toBe(0)
})

test('creating, reconciling and deleting wait for the handler, and say what is missing', async () => {
  const { withInput, homeostat, terminal } = command
  const alone = terminal({ errorColumns: 200, input: async () => JSON.stringify(shop('live', 'handled')) })
  const creating = runOn(alone, ['resource', 'create', '-f', '-', '--wait'])
  await alone.until(/waiting: Shop\/live is not ready: no executor of type shop-keeper is online/)
  const forced: unknown[] = []
  await command.executor('handled', 'shop-keeper', {
    reconcile_shop: ({ kwargs }) => {
      forced.push(kwargs.force)
    },
  })
  expect(await creating).toMatchObject({ code: 0, out: 'Shop/live created in handled and ready\n' })
  expect((await homeostat('resource', 'get', 'live', '-n', 'handled')).out).toMatch(/Shop +live +True +False +1\/1 /)

  const again = await homeostat('resource', 'reconcile', 'live', '-n', 'handled', '--force', '--wait')
  expect(again).toEqual({ code: 0, out: 'Shop/live was reconciled\n', error: '' })
  expect(forced.at(-1)).toBe(true)
  const asked = await homeostat('resource', 'reconcile', 'shop/live', '-n', 'handled')
  expect(asked.out).toBe('Shop/live was handed to shop-keeper/reconcile_shop\n')

  const gone = await homeostat('resource', 'delete', 'live', '-n', 'handled', '--wait')
  expect(gone).toEqual({ code: 0, out: 'Shop/live deleted\n', error: '' })
  expect((await homeostat('resource', 'get', 'live', '-n', 'handled')).code).toBe(3)
  await withInput(shop('left', 'unhandled'), 'resource', 'create', '-f', '-')
  await command.client
    .resource('shops.io/v1', 'Shop')
    .patch({ name: 'left', namespace: 'unhandled' }, { metadata: { finalizers: ['colonies.io/handler'] } })
  const left = await homeostat('resource', 'delete', 'left', '-n', 'unhandled')
  expect(left.out).toBe('Shop/left is being deleted: shop-keeper/reconcile_shop cleans up first\n')
  const waited = await command.timedOut(
    /no executor/,
    'resource',
    'delete',
    'left',
    '-n',
    'unhandled',
    '--wait',
    '--timeout',
    '1s',
  )
  expect(waited).toMatchObject({
    code: 6,
    error: 'homeostat: the time of 1s is up: Shop/left is being deleted: no executor of type shop-keeper is online\n',
  })
})

test('a request is answered by the process that took it, or a later one', () => {
  const process = (value: string) => ({ metadata: { annotations: { 'colonies.io/reconcile': value } } }) as never
  const at = (seconds: number) => new Date(seconds * 1000)
  const request = requestText(false, at(10))
  expect(requestText(true, at(10))).toBe(`force-${request}`)
  expect(answers(request, process(request))).toBe(true)
  expect(answers(request, process(requestText(true, at(11))))).toBe(true)
  expect(answers(request, process(requestText(true, at(9))))).toBe(false)
  expect(answers(request, { metadata: {} } as never)).toBe(false)
})
