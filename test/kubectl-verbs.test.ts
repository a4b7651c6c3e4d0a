// The verbs that kubectl has, too, beside kubectl: the same command lines on one server, each program in a namespace of its own.
// Where our words differ on purpose, the test says so.

import { type ExecFileException, execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiServer, startApiServer } from '@homeostat/apiserver'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { MemoryStore } from '@homeostat/store'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { definition } from './garden.ts'
import { SOURCE_FLAGS, startServer } from './server-process.ts'
import { needKubectls } from './tools.ts'

const { path: kubectl = '', missing } = needKubectls().at(-1) ?? { missing: 'no kubectl' }
const folder = mkdtempSync(join(tmpdir(), 'homeostat-verbs-'))
const store = new MemoryStore()
let server: ApiServer

const GROUP = 'verbs.garden.example'
const main = join(import.meta.dirname, '../packages/cli/src/main.ts')
const node = [process.execPath, ...SOURCE_FLAGS, main]

const tree = (name: string, spec: string) =>
  `apiVersion: ${GROUP}/v1\nkind: Tree\nmetadata: { name: ${name}, labels: { wood: soft } }\nspec: ${spec}\n`
const config = (name: string, value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, labels: { app: web } }\ndata: { a: "${value}" }\n`

beforeAll(async () => {
  server = await startApiServer({ store, host: '127.0.0.1', port: 0 })
  const cluster = { server: `http://127.0.0.1:${server.address.port}` }
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    users: [{ name: 'test', user: {} }],
    'current-context': 'test',
  }
  writeFileSync(join(folder, 'kubeconfig'), JSON.stringify(kubeconfig))
  writeFileSync(join(folder, 'definition.json'), definition(GROUP))
  const spaces = ['ours', 'theirs'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))
  writeFileSync(join(folder, 'spaces.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items: spaces }))
  writeFileSync(join(folder, 'one.yaml'), `${config('c1', '1')}---\n${config('c2', '1')}`)
  writeFileSync(join(folder, 'changed.yaml'), `${config('c1', '2')}---\n${config('c2', '1')}`)
  writeFileSync(join(folder, 'trees.yaml'), `${tree('oak', '{ height: 3 }')}---\n${tree('fir', '{ height: 5 }')}`)
  writeFileSync(join(folder, 'broken.yaml'), 'a: [')
  mkdirSync(join(folder, 'empty'))
  expect(await run(node, 'ours', ['apply', '-f', 'spaces.json', '-f', 'definition.json'])).toMatchObject({
    code: 0,
    error: '',
  })
})

afterAll(async () => {
  await server.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Ran {
  readonly code: number
  readonly out: string
  readonly error: string
}

function run(
  [program = '', ...before]: readonly string[],
  space: string,
  args: readonly string[],
  kubeconfig = join(folder, 'kubeconfig'),
): Promise<Ran> {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    KUBECONFIG: kubeconfig,
    KUBECACHEDIR: join(folder, 'cache'),
    NODE_COMPILE_CACHE: join(import.meta.dirname, '../.homeostat/compile-cache'),
  }
  return new Promise((resolve) => {
    const done = (error: ExecFileException | null, out: string, text: string) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, out: plain(out), error: plain(text) })
    const child = execFile(program, [...before, ...args, '-n', space], { cwd: folder, env, timeout: 240_000 }, done)
    child.stdin?.end('')
  })
}

/** Without what differs between two namespaces and two moments, and without the name of the program. */
function plain(text: string): string {
  return text
    .replaceAll(/\b(ours|theirs)( *)/g, (_, name: string, gap: string) =>
      gap.length > 1 ? 'SPACE ' : `SPACE${name && gap}`,
    )
    .replaceAll(/\b\d+s\b/g, 'AGE')
    .replaceAll(/"?(uid|resourceVersion|creationTimestamp|time)"?: .*/g, '$1')
    .replaceAll(/kubectl(\.1\.\d+)? get/g, 'homeostat get')
}

const both = async (line: string) => {
  const args = words(line)
  const [theirs, ours] = await Promise.all([run([kubectl], 'theirs', args), run(node, 'ours', args)])
  return { theirs, ours }
}

function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

/** Runs them in order, since each changes what the next one sees. */
async function expectSame(...lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    const { theirs, ours } = await both(line)
    expect({ line, ...ours }).toEqual({ line, ...theirs })
  }
}

describe.skipIf(missing)('the same words and exit codes as kubectl', () => {
  test('apply', () =>
    expectSame(
      'apply -f one.yaml',
      'apply -f one.yaml',
      'apply -f changed.yaml --dry-run=server',
      'apply -f changed.yaml',
      'apply -f one.yaml -o name',
      'apply -f trees.yaml',
      'apply -f trees.yaml',
      'apply --server-side --field-manager=me --force-conflicts -f trees.yaml',
    ))

  test('get', () =>
    expectSame(
      'get trees',
      'get tree oak fir',
      'get tree/oak cm/c1',
      'get cm,trees -l app=web',
      `get trees.${GROUP} -o wide --show-labels`,
      'get trees --no-headers',
      'get trees -o name',
      'get tree oak -o json',
      'get trees -o json',
      `get trees -o 'jsonpath={range .items[*]}{.metadata.name}={.spec.height}{"\\n"}{end}'`,
      `get tree oak -o 'jsonpath={.spec}{.nope}'`,
      'get trees -o custom-columns=NAME:.metadata.name,H:.spec.height,X:.nope',
      'get trees --sort-by=.spec.height',
      'get -f trees.yaml',
      'get trees -l wood=hard',
      'get trees -l wood=hard -o json',
      'get namespaces -l wood=hard',
      'get trees -A -l wood=hard',
      'get tree nope oak',
      'get tree nope --ignore-not-found',
      'get nope',
      'get trees a/b',
      'get tree oak -l a=b',
      'get trees,cm -w',
    ))

  test('wait', () =>
    expectSame(
      `wait tree/oak '--for=jsonpath={.spec.height}=3'`,
      `wait trees --all '--for=jsonpath={.spec.height}'`,
      `wait -f trees.yaml '--for=jsonpath={.spec.height}=3' --timeout=0`,
      'wait tree/oak --for=create',
      'wait tree/oak --for=condition=Ready --timeout=0',
      'wait tree/oak --for=condition=Ready --timeout=100ms',
      'wait tree/nope --for=condition=Ready',
      'wait tree/nope --for=delete',
      'wait trees -l wood=hard --for=condition=Ready',
      'wait tree/oak --for=foo',
      'wait tree/oak',
    ))

  test('delete', () =>
    expectSame(
      'delete tree nope',
      'delete tree nope --ignore-not-found',
      'delete trees',
      'delete trees -l wood=hard',
      'delete tree oak --all',
      'delete -f trees.yaml --dry-run=server',
      'delete tree/oak tree/nope',
      'delete trees --all',
      'delete -f one.yaml -o name',
      'delete cm,trees -l app=web',
      'delete nope x',
    ))

  test('diff ends with 0, 1 or 2, and logs of nothing fails', async () => {
    await expectSame('apply -f one.yaml', 'diff -f one.yaml', 'logs nope', 'logs -l app=nope')
    const { theirs, ours } = await both('diff -f changed.yaml')
    const body = ({ out }: Ran) => out.split('\n').slice(3, 8)
    expect([ours.code, body(ours)]).toEqual([theirs.code, body(theirs)])
    for (const line of [
      'diff',
      'diff -f nope.yaml',
      'apply',
      'apply -f nope.yaml',
      'apply -f empty',
      'apply -f broken.yaml',
    ]) {
      const { theirs, ours } = await both(line)
      expect({ line, code: ours.code, out: ours.out }).toEqual({ line, code: theirs.code, out: theirs.out })
      expect(ours.error).toMatch(/^error: /)
    }
  })
})

test.skipIf(missing)('logs of pods, which are the same for both', async () => {
  const { kubeconfig } = await startServer(temporaryFolder(), ['--store', 'memory'])
  const container = (name: string) => ({ name, image: `${name}:1` })
  const pod = { metadata: { labels: { app: 'web' } }, spec: { containers: [container('main'), container('side')] } }
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template: pod },
  }
  writeFileSync(join(folder, 'web.json'), JSON.stringify(deployment))
  const ours = (line: string) => run(node, 'default', words(line), kubeconfig)
  expect(await ours('apply -f web.json')).toMatchObject({ code: 0 })
  expect(await ours('wait deployment/web --for=condition=Available --timeout=1h')).toMatchObject({ code: 0 })
  for (const line of [
    'logs deployment/web',
    'logs deployment/web -c side --prefix',
    'logs deployment/web --all-containers --prefix --tail=1',
    'logs deployment/web -c nope',
    'logs deployment/web -p',
    'logs deployment/nope',
    'logs -l app=web -c main',
  ]) {
    const theirs = await run([kubectl], 'default', words(line), kubeconfig)
    expect(inOrder({ line, ...(await ours(line)) })).toEqual(inOrder({ line, ...theirs }))
  }
})

/** kubectl takes several containers in any order. */
function inOrder(shown: { readonly line: string; readonly out: string }): object {
  return { ...shown, out: shown.out.split('\n').sort() }
}
