// The verbs about any object on a real server. Their words are compared with kubectl's in test/kubectl-verbs.test.ts.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runOn } from '../../terminal.fixture.ts'
import { handledDefinition, type TestCommand, testCommand } from '../colony.fixture.ts'

let command: TestCommand
beforeAll(async () => {
  command = await testCommand()
})
afterAll(() => command[Symbol.asyncDispose]())

const config = (name: string, data: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', ...metadata },
  data,
})
const maps = () => command.client.resource('v1', 'ConfigMap')

test('a folder is applied with its definitions first, whatever the order of its files', async () => {
  const folder = temporaryFolder()
  const lamp = { apiVersion: 'order.io/v1', kind: 'Lamp', metadata: { name: 'desk', namespace: 'lit' } }
  mkdirSync(join(folder, 'sub'))
  writeFileSync(join(folder, 'a-lamp.json'), JSON.stringify(lamp))
  writeFileSync(join(folder, 'b-empty.yaml'), '# nothing yet\n')
  writeFileSync(join(folder, 'c-definition.json'), JSON.stringify(handledDefinition('Lamp', 'order.io')))
  writeFileSync(join(folder, 'sub/space.yaml'), 'apiVersion: v1\nkind: Namespace\nmetadata: { name: lit }\n')
  writeFileSync(join(folder, 'readme.txt'), 'not an object')
  expect(await command.homeostat('apply', '-R', '-f', folder)).toEqual({
    code: 0,
    error: '',
    out: [
      'namespace/lit created',
      'customresourcedefinition.apiextensions.k8s.io/lamps.order.io created',
      'lamp.order.io/desk created\n',
    ].join('\n'),
  })
  expect(await command.homeostat('delete', '-R', '-f', folder)).toMatchObject({
    code: 0,
    out: [
      'lamp.order.io "desk" deleted',
      'customresourcedefinition.apiextensions.k8s.io "lamps.order.io" deleted',
      'namespace "lit" deleted\n',
    ].join('\n'),
  })
})

test('a definition of the colony is a kind before its resources are applied, and a refused one is reported', async () => {
  const spec = { group: 'soon.io', version: 'v1', names: { kind: 'Soon', plural: 'soons' }, scope: 'Namespaced' }
  const definition = {
    apiVersion: 'colonies.io/v1',
    kind: 'ResourceDefinition',
    metadata: { name: 'soons.soon.io' },
    spec,
  }
  const soon = { apiVersion: 'soon.io/v1', kind: 'Soon', metadata: { name: 'one', namespace: 'default' } }
  const list = { apiVersion: 'v1', kind: 'List', items: [soon, definition] }
  expect(await command.withInput(list, 'apply', '-f', '-')).toMatchObject({
    code: 0,
    out: 'resourcedefinition.colonies.io/soons.soon.io created\nsoon.soon.io/one created\n',
  })
  const wrong = { ...definition, metadata: { name: 'wrong.soon.io' } }
  const again = { ...list, items: [soon, wrong] }
  const { code, error } = await command.withInput(again, 'apply', '-f', '-')
  expect(error).toMatch(/^standard input:1: error: wrong\.soon\.io was not accepted: InvalidName: /)
  expect(code).toBe(1)
})

test('each mistake is reported with its file and line, and the rest is applied', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'mixed.yaml')
  const broken = join(folder, 'broken.yaml')
  writeFileSync(broken, 'kind: [\n')
  writeFileSync(
    file,
    [
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: mixed-1 }\ndata: { a: "1" }',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: "B!" }',
      'apiVersion: nope.io/v1\nkind: Nope\nmetadata: { name: x }',
      'kind: ConfigMap\nmetadata: { name: x }',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { generateName: x- }',
      'apiVersion: v1\nkind: List\nitems:\n- { apiVersion: v1, kind: ConfigMap, metadata: { name: mixed-2 } }\n' +
        '- { apiVersion: v1, kind: ConfigMap, metadata: { name: mixed-3 }, date: {} }',
    ].join('\n---\n'),
  )
  const { code, out, error } = await command.homeostat('apply', '-f', broken, '-f', file)
  expect(out).toBe('configmap/mixed-1 created\nconfigmap/mixed-2 created\n')
  const lines = error.replaceAll(`${folder}/`, '').split('\n')
  expect(lines[0]).toMatch(/^error: broken\.yaml is neither JSON nor YAML: .* at line 2, column 1$/)
  expect(lines[1]).toMatch(/^error: mixed\.yaml:14: apiVersion is missing/)
  expect(lines[2]).toMatch(/^mixed\.yaml:6: The ConfigMap "B!" is invalid: metadata\.name: Invalid value: "B!"/)
  expect(lines[3]).toBe(
    'mixed.yaml:10: error: resource mapping not found for name: "x": no matches for kind "Nope" in version "nope.io/v1"; ensure CRDs are installed first',
  )
  expect(lines[4]).toBe('mixed.yaml:17: error: cannot use generate name with apply')
  expect(lines[5]).toMatch(/^mixed\.yaml:25: Error from server.*\.date: field not declared in schema/)
  expect(lines.slice(6)).toEqual([''])
  expect(code).toBe(1)
})

test('a field that somebody else manages is a conflict that says what to do', async () => {
  await command.withInput(config('shared', { a: '1' }), 'apply', '-f', '-')
  await maps().apply(config('shared', { a: '2' }), { fieldManager: 'somebody', force: true })
  const { code, error } = await command.withInput(config('shared', { a: '3' }), 'apply', '-f', '-')
  expect(error).toBe(
    'standard input:1: error: Apply failed with 1 conflict: conflict with "somebody": .data.a\n' +
      'Others manage these fields. Leave them out of the file, or give them the values that they have, ' +
      'or take them over with --force-conflicts.\n',
  )
  expect(code).toBe(1)
  const forced = await command.withInput(config('shared', { a: '3' }), 'apply', '--force-conflicts', '-f', '-')
  expect(forced).toEqual({ code: 0, error: '', out: 'configmap/shared configured\n' })
})

test('a dry run keeps nothing and tells what would be', async () => {
  const dry = ['apply', '--dry-run=server', '-f', '-']
  expect((await command.withInput(config('dry', { a: '1' }), ...dry)).out).toBe(
    'configmap/dry created (server dry run)\n',
  )
  expect(await maps().find({ name: 'dry', namespace: 'default' })).toBeUndefined()
  await command.withInput(config('dry', { a: '1' }), 'apply', '-f', '-')
  expect((await command.withInput(config('dry', { a: '1' }), ...dry)).out).toBe(
    'configmap/dry unchanged (server dry run)\n',
  )
  expect((await command.withInput(config('dry', { a: '2' }), ...dry)).out).toBe(
    'configmap/dry configured (server dry run)\n',
  )
})

test('a large list is read in pages and printed as one table', async () => {
  const namespace = 'large'
  await command.client.resource('v1', 'Namespace').create({ metadata: { name: namespace } })
  const names = Array.from({ length: 1100 }, (_, at) => `m${`${at}`.padStart(4, '0')}`)
  await Promise.all(names.map((name) => maps().create({ metadata: { name, namespace } })))
  const { out } = await command.homeostat('get', 'cm', '-n', namespace)
  const [head, ...rows] = out.trimEnd().split('\n')
  expect(head).toMatch(/^NAME +DATA +AGE$/)
  expect(rows.filter((row) => row.startsWith('m')).map((row) => row.slice(0, 5))).toEqual(names)
  expect(JSON.parse((await command.homeostat('get', 'cm', '-n', namespace, '-o', 'json')).out).items).toHaveLength(1101)
})

test('-w prints what is there, then a row for every change, aligned with those before', async () => {
  await command.client.resource('v1', 'Namespace').create({ metadata: { name: 'watched' } })
  await maps().create({ metadata: { name: 'a-long-name', namespace: 'watched' } })
  const unread = new AbortController()
  const terminal = command.terminal({ unread: unread.signal })
  const watching = runOn(terminal, [
    'get',
    'cm',
    '-w',
    '-n',
    'watched',
    '--field-selector',
    'metadata.name!=kube-root-ca.crt',
  ])
  await terminal.until(/a-long-name/)
  await maps().create({ metadata: { name: 'b', namespace: 'watched' }, data: { x: '1', y: '2' } })
  await terminal.until(/^b /m)
  await maps().delete({ name: 'b', namespace: 'watched' })
  await terminal.until(/^b .*\nb /m)
  unread.abort()
  const { code, out, error } = await watching
  expect({ code, error }).toEqual({ code: 0, error: '' })
  expect(out.replaceAll(/\d+s$/gm, 'AGE')).toBe(
    'NAME          DATA   AGE\na-long-name   0      AGE\nb             2      AGE\nb             2      AGE\n',
  )
})

test('-w -o name and yaml print objects', async () => {
  await command.client.resource('v1', 'Namespace').create({ metadata: { name: 'watched-yaml' } })
  for (const [output, pattern] of [
    ['name', /^configmap\/one\nconfigmap\/one\n/m],
    ['yaml', /name: one.*---\napiVersion: v1\n.*name: one/s],
  ] as const) {
    await maps().create({ metadata: { name: 'one', namespace: 'watched-yaml' } })
    const unread = new AbortController()
    const terminal = command.terminal({ unread: unread.signal })
    const watching = runOn(terminal, ['get', 'cm', 'one', '-w', '-n', 'watched-yaml', '-o', output])
    await terminal.until(/one/)
    await maps().delete({ name: 'one', namespace: 'watched-yaml' })
    await terminal.until(pattern)
    unread.abort()
    expect(await watching).toMatchObject({ code: 0, error: '' })
  }
})

test('delete waits for finalizers, unless it shall not or the time is up', async () => {
  const finalizers = ['ex.io/wait']
  const held = (name: string) => maps().create({ metadata: { name, namespace: 'default', finalizers } })
  const release = (name: string) => maps().patch({ name, namespace: 'default' }, { metadata: { finalizers: null } })
  await held('held')
  expect(await command.homeostat('delete', 'cm', 'held', '--wait=false')).toEqual({
    code: 0,
    error: '',
    out: 'configmap "held" deleted\n',
  })
  const late = await command.timedOut(
    /waiting: for the condition on configmaps\/held/,
    'delete',
    'cm',
    'held',
    '--timeout',
    '1s',
  )
  expect(late).toEqual({
    code: 1,
    out: 'configmap "held" deleted\n',
    error: 'error: timed out waiting for the condition on configmaps/held\n',
  })
  const terminal = command.terminal({ errorColumns: 200 })
  const deleting = runOn(terminal, ['delete', 'cm/held'])
  await terminal.until(/waiting: for the condition on configmaps\/held/)
  await release('held')
  expect(await deleting).toMatchObject({ code: 0, out: 'configmap "held" deleted\n' })
})

test('wait sees a condition, a creation and a deletion as they happen', async () => {
  const waits = async (what: string, change: () => Promise<unknown>) => {
    const terminal = command.terminal({ errorColumns: 200 })
    const waiting = runOn(terminal, ['wait', 'cm/awaited', `--for=${what}`, '--timeout', '1h'])
    await terminal.until(/waiting: for the condition on configmaps\/awaited/)
    await change()
    const { code, out } = await waiting
    expect({ what, code, out }).toEqual({ what, code: 0, out: 'configmap/awaited condition met\n' })
  }
  const name = { name: 'awaited', namespace: 'default' }
  await waits('create', () => maps().create({ metadata: name }))
  await waits('jsonpath={.data.a}=1', () => maps().patch(name, { data: { a: '1' } }))
  await waits('delete', () => maps().delete(name))
})

test('diff masks the values of Secrets, and shows an object that is not there yet as new', async () => {
  const secret = (data: object) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', namespace: 'default' },
    stringData: data,
  })
  const made = await command.withInput(secret({ a: 'hunter2', b: 'same' }), 'diff', '-f', '-')
  expect(made.code).toBe(1)
  expect(made.out).toMatch(
    /^diff -u -N LIVE\/v1\.Secret\.default\.s MERGED\/v1\.Secret\.default\.s\n--- LIVE\/.*\n\+\+\+ MERGED\//,
  )
  expect(made.out).toMatch(/^\+ {2}a: "\*\*\*"$/m)
  await command.withInput(secret({ a: 'hunter2', b: 'same' }), 'apply', '-f', '-')
  const same = await command.withInput(secret({ a: 'hunter2', b: 'same' }), 'diff', '-f', '-')
  expect(same).toEqual({ code: 0, out: '', error: '' })
  const changed = await command.withInput(secret({ a: 'hunter3', b: 'same' }), 'diff', '-f', '-')
  expect(changed.code).toBe(1)
  expect(changed.out).toContain('-  a: "*** (before)"\n+  a: "*** (after)"\n   b: "***"\n')
  for (const { out } of [made, changed]) {
    for (const text of ['hunter2', 'hunter3']) {
      expect(out).not.toContain(text)
      expect(out).not.toContain(Buffer.from(text).toString('base64'))
    }
  }
  expect((await command.withInput({ ...secret({}), apiVersion: 'nope/v1' }, 'diff', '-f', '-')).code).toBe(2)
})

test('what others wrote cannot steer the terminal', async () => {
  const evil = '\x1b]0;owned\x07\x1b[2J\u202egnp.exe'
  const definition = handledDefinition('Trap', 'evil.io')
  const [version] = definition.spec.versions
  Object.assign(version ?? {}, {
    additionalPrinterColumns: [{ name: 'Text', type: 'string', jsonPath: '.spec.text' }],
  })
  const trap = {
    apiVersion: 'evil.io/v1',
    kind: 'Trap',
    metadata: { name: 'one', namespace: 'default' },
    spec: { text: evil },
  }
  const list = { apiVersion: 'v1', kind: 'List', items: [definition, trap] }
  await command.withInput(list, 'apply', '-f', '-')
  const on = async (...argv: string[]) => (await runOn(command.terminal({ columns: 80, errorColumns: 80 }), argv)).out
  const views = [
    [],
    ['-o', 'yaml'],
    ['-o', 'json'],
    ['-o', 'jsonpath={.items[*].spec.text}'],
    ['-o', 'custom-columns=T:.spec.text'],
  ]
  for (const view of views) {
    const out = await on('get', 'traps', ...view)
    expect(out).toContain('owned')
    // Colours are the only sequences that are left.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(out.replaceAll(/\x1b\[\d+m/g, '')).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
  }
  const changed = { ...trap, spec: { text: `${evil}!` } }
  const terminal = command.terminal({ columns: 80, input: async () => JSON.stringify(changed) })
  const { out } = await runOn(terminal, ['diff', '-f', '-'])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(out.replaceAll(/\x1b\[\d+m/g, '')).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
  expect(out).toContain('owned')
})

test('colours are for terminals', async () => {
  const kind = ['get', 'crd', '-o', 'custom-columns=A:.metadata.name']
  expect((await command.homeostat(...kind)).out).not.toContain('\x1b[')
  await command.withInput(config('coloured', { a: '1' }), 'apply', '-f', '-')
  const input = async () => JSON.stringify(config('coloured', { a: '2' }))
  expect((await runOn(command.terminal({ columns: 80, input }), ['diff', '-f', '-'])).out).toContain(
    '\x1b[31m-  a: "1"',
  )
  const plain = command.terminal({ columns: 80, input, env: { NO_COLOR: '1' } })
  expect((await runOn(plain, ['diff', '-f', '-'])).out).not.toContain('\x1b[')
})

test('logs of a process, and of what has none', async () => {
  await command.executor('default', 'writer', {
    speak: ({ log }) => log('first\nsecond'),
  })
  await command.homeostat('process', 'submit', 'speak', '--type', 'writer', '--name', 'spoken', '--wait')
  expect((await command.homeostat('logs', 'process/spoken')).out).toBe('first\nsecond\n')
  expect((await command.homeostat('logs', 'process/spoken', '--tail', '1', '--prefix')).out).toBe(
    '[process/spoken] second\n',
  )
  expect(await command.homeostat('logs', 'process/nope')).toMatchObject({
    code: 1,
    error: expect.stringMatching(/nope/),
  })
})

test.each([
  [['apply'], 1, 'error: must specify -f FILE, -f - for standard input, or -k FOLDER\n'],
  [['apply', 'x'], 1, 'error: Unexpected args: [x]; name files with -f\n'],
  [['get'], 1, 'error: Required resource not specified: homeostat get TYPE [NAME...], or -f FILE\n'],
  [['get', 'cm', '--nope'], 1, "error: Unknown option '--nope'; --help lists what there is\n"],
  [['get', 'cm', '..'], 1, "error: '..' is not a name\n"],
  [['get', 'cm/'], 1, 'error: arguments in resource/name form must have a single resource and name: cm/\n'],
  [['get', 'cm', 'nope', '-w'], 1, 'Error from server (NotFound): configmaps "nope" not found\n'],
  [['delete', 'cm', ''], 1, "error: '' is not a name\n"],
  [['diff'], 2, 'error: must specify -f FILE, -f - for standard input, or -k FOLDER\n'],
  [['diff', '--nope'], 2, "error: Unknown option '--nope'; --help lists what there is\n"],
  [['wait', 'cm/x', '--for=ready'], 1, 'error: unrecognized condition: "ready"\n'],
  [
    ['get', 'cm', '--server', 'http://127.0.0.1:1'],
    1,
    /^error: no server answers at http:\/\/127\.0\.0\.1:1; start one with `homeostat up`/,
  ],
])('%j fails with the exit code of kubectl', async (argv, code, message) => {
  const { error, ...shown } = await command.homeostat(...argv)
  expect(shown).toEqual({ code, out: '' })
  if (typeof message === 'string') expect(error).toBe(message)
  else expect(error).toMatch(message)
})

test('completion knows kinds, their objects, and files', async () => {
  await command.withInput(config('completed', {}), 'apply', '-f', '-')
  const offered = async (...words: string[]) => {
    const { out } = await command.homeostat('__complete', ...words)
    return out.split('\n').filter((line) => line !== '')
  }
  expect(await offered('get', 'configm')).toEqual(['configmaps'])
  expect(await offered('get', 'event')).toEqual(['events', 'events.events.k8s.io'])
  expect(await offered('get', 'cm', 'compl')).toEqual(['completed'])
  expect(await offered('delete', 'cm/compl')).toEqual(['cm/completed'])
  expect(await offered('get', 'cm/a', 'configm')).toEqual(['configmaps'])
  expect(await offered('apply', '-f', 'x')).toEqual([':files'])
  expect(await offered('get', 'nope', '')).toEqual([])
})
