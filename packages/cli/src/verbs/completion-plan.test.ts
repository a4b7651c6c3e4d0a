import { expect, test } from 'vitest'
import { fakeTerminal, runOn } from '../terminal.fixture.ts'
import { wantedFor } from './completion-plan.ts'
import { verbTable } from './verb-table.ts'

test.each([
  [['cr'], expect.arrayContaining(['crd', 'resource', 'process', 'up', 'help'])],
  [
    ['crd', ''],
    ['create', 'list', 'get', 'migrate', 'delete'],
  ],
  [
    ['help', 'crd', ''],
    ['create', 'list', 'get', 'migrate', 'delete'],
  ],
  [['help', 'ba'], expect.arrayContaining(['backup'])],
  [['crd', 'get', ''], 'definition'],
  [['crd', 'get', 'a', ''], undefined],
  [['crd', 'get', '-o', 'json', ''], 'definition'],
  [
    ['crd', 'get', '-o', ''],
    ['json', 'yaml', 'wide', 'name'],
  ],
  [
    ['crd', 'get', '--output', '=', 'j'],
    ['json', 'yaml', 'wide', 'name'],
  ],
  [
    ['crd', 'get', '--output', '='],
    ['json', 'yaml', 'wide', 'name'],
  ],
  [
    ['crd', 'list', '--'],
    ['--output', '--selector', '--watch', '--server', '--kubeconfig', '--context', '--help'],
  ],
  [['crd', 'create', '-f', 'x'], 'file'],
  [['resource', 'delete', '-n', ''], 'namespace'],
  [['resource', 'delete', '-n', 'dev', ''], 'resource'],
  [['resource', 'list', '-w', ''], undefined],
  [['process', 'wait', ''], 'process'],
  [['process', 'logs', '-f', ''], 'process'],
  [['process', 'submit', 'echo', '--type', ''], 'executor-type'],
  [['process', 'submit', 'echo', '--executor', ''], 'executor'],
  [['process', 'submit', 'echo', '--arg', ''], undefined],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['backup', ''], 'file'],
  [['init', ''], 'file'],
  [['init', 'my-operator', '--'], expect.arrayContaining(['--template', '--kind', '--no-install', '--help'])],
  [
    ['init', '-t', ''],
    ['functional', 'class', 'executor'],
  ],
  [['init', '--kind', ''], []],
  [['apply', '-k', ''], 'file'],
  [['fly', ''], undefined],
  [['crd', 'fly', ''], undefined],
  [['constructor', ''], undefined],
])('after %j comes %j', async (words, wanted) => {
  expect((await wantedFor(verbTable, words)).wanted).toEqual(wanted)
})

test('what helps nobody is not offered', async () => {
  expect((await wantedFor(verbTable, [''])).wanted).not.toContain('__complete')
})

test('a server that is not there offers nothing, and nothing is said of it', async () => {
  const words = ['resource', 'get', '--server', 'http://127.0.0.1:1', '']
  expect(await runOn(fakeTerminal(), ['__complete', ...words])).toEqual({ code: 0, out: '', error: '' })
})
