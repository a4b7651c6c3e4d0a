import { expect, test } from 'vitest'
import { upOptions } from './options/option-groups.ts'
import { optionTable } from './options/option-table.ts'
import { run } from './run.ts'

async function homeostat(...argv: string[]) {
  const shown = { code: 0, out: '', error: '' }
  shown.code = await run(argv, {
    env: {},
    out: (text) => {
      shown.out += text
    },
    error: (text) => {
      shown.error += text
    },
  })
  return shown
}

test('without a verb the command explains itself and fails', async () => {
  const { code, out } = await homeostat()
  expect(code).toBe(2)
  expect(out).toContain('backup FILE')
})

test('the effective configuration is printed, with flags applied', async () => {
  const { code, out } = await homeostat('up', '--print-config', '--port', '5')
  expect(code).toBe(0)
  expect(out).toMatch(/^port: 5 +# --port$/m)
  expect(out).toMatch(/^host: 127\.0\.0\.1 +# default$/m)
  expect(out).not.toContain('config:')
})

test('help of a verb shows every option with its default and its variable', async () => {
  for (const argv of [
    ['up', '--help'],
    ['help', 'up'],
  ]) {
    const { code, out } = await homeostat(...argv)
    expect(code).toBe(0)
    for (const name of upOptions) {
      expect(out).toContain(`--${name} `)
      expect(out).toContain(optionTable[name].env)
    }
    expect(out).toContain('default 3000; PORT')
  }
})

test('help lists verbs with the exit codes, the verbs of a noun, and hides what is for programs', async () => {
  const { out } = await homeostat('help')
  expect(out).toMatch(/^ {2}crd VERB .*Definitions/m)
  expect(out).toMatch(/^ {2}6 {2}the time of --timeout was up$/m)
  expect(out).not.toContain('__complete')
  for (const argv of [
    ['help', 'process'],
    ['process', '--help'],
    ['process', '-h'],
  ]) {
    const shown = await homeostat(...argv)
    expect(shown.code).toBe(0)
    expect(shown.out).toMatch(/^ {2}wait NAME +Wait for the end of a process/m)
  }
  expect((await homeostat('process')).code).toBe(2)
  const verb = await homeostat('help', 'resource', 'list')
  expect(verb.out).toMatch(/^Usage: homeostat resource list \[options\]$/m)
  expect(verb.out).toMatch(/^ {2}-n, --namespace NAME +The namespace, which is a colony\..*COLONIES_COLONY_NAME/m)
  expect(verb.out).toMatch(/^ {2}-w, --watch +Goes on/m)
})

test('version prints one line', async () => {
  expect((await homeostat('version')).out).toMatch(/^homeostat \d+\.\d+\.\d+ \(node .*\)\n$/)
})

test.each([
  [['fly'], /there is no verb 'fly'; the verbs are up, dev, dashboard, apply, get/],
  [['--server', 'x', 'crd', 'list'], /--server: the verb comes first, options after it/],
  [['crd', 'constructor'], /there is no verb 'constructor' of crd/],
  [['help', 'crd', 'fly'], /there is no verb 'fly' of crd/],
  [['help', 'version', 'now'], /unexpected argument 'now'/],
  [['completion', 'csh'], /name the shell: homeostat completion bash\|zsh\|fish/],
  [['constructor'], /there is no verb 'constructor'/],
  [['backup'], /name the file: homeostat backup FILE/],
  [['up', 'now'], /unexpected argument 'now'/],
  [['version', '--port', '1'], /Unknown option '--port'/],
  [['up', '--host', 'example.com'], /--host example\.com: this is no address; use 127\.0\.0\.1.*--tls-san/],
])('%j is refused in one line with exit code 2', async (argv, message) => {
  const { code, error } = await homeostat(...argv)
  expect(error).toMatch(message)
  expect(error.trimEnd()).not.toContain('\n')
  expect(code).toBe(2)
})

test('a backup of a folder that is not there says so', async () => {
  const { code, error } = await homeostat('backup', 'x.db', '--data-dir', 'no/such/folder')
  expect(error).toMatch(/there is no data directory .*no\/such\/folder; name it with --data-dir/)
  expect(code).toBe(1)
})
