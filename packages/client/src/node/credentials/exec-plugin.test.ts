import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { ManualClock } from '@homeostat/base'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { readConnection } from '../default-client.ts'
import type { ExecConfig } from './exec-credential.ts'
import { ExecPlugin } from './exec-plugin.ts'

const V1 = 'client.authentication.k8s.io/v1'

/** Counts its runs in a file and prints the number as its token. */
const PROGRAM = `#!${process.execPath}
import { appendFileSync, readFileSync } from 'node:fs'
const { COUNT, EXPIRES, ANSWER, KUBERNETES_EXEC_INFO } = process.env
appendFileSync(COUNT, 'x')
const token = String(readFileSync(COUNT).length) + process.argv.slice(2).join('')
const { apiVersion } = JSON.parse(KUBERNETES_EXEC_INFO)
const status = { token, expirationTimestamp: EXPIRES, clientCertificateData: KUBERNETES_EXEC_INFO, clientKeyData: 'k' }
process.stdout.write(ANSWER ?? JSON.stringify({ apiVersion, kind: 'ExecCredential', status }))
if (ANSWER === '') { process.stderr.write('not logged in'); process.exit(3) }
`

function setUp(config: Partial<ExecConfig> = {}, env: Record<string, string> = {}) {
  const folder = temporaryFolder({ 'plugin.mjs': PROGRAM })
  const count = join(folder, 'count')
  const clock = new ManualClock(Date.parse('2030-01-01T00:00:00Z'))
  const variables = Object.entries({ COUNT: count, ...env }).map(([name, value]) => ({ name, value }))
  const whole = { apiVersion: V1, command: join(folder, 'plugin.mjs'), env: variables, ...config }
  const plugin = new ExecPlugin(whole, { server: 'https://server' }, clock)
  const token = async () => (await plugin.get()).headers?.authorization
  return { plugin, token, clock, runs: () => (existsSync(count) ? readFileSync(count, 'utf8').length : 0) }
}

test('a credential is kept until it expires', async () => {
  const { token, clock } = setUp({ args: ['-a'] }, { EXPIRES: '2030-01-01T00:01:00Z' })
  expect(await Promise.all([token(), token()])).toEqual(['Bearer 1-a', 'Bearer 1-a'])
  clock.advance(59_999)
  expect(await token()).toBe('Bearer 1-a')
  clock.advance(1)
  expect(await token()).toBe('Bearer 2-a')
})

test('a credential that the server refuses is made again', async () => {
  const { plugin, token } = setUp()
  const first = await plugin.get()
  expect(plugin.refused(first)).toBe(true)
  expect(await token()).toBe('Bearer 2')
  expect(plugin.refused(first)).toBe(true)
  expect(await token()).toBe('Bearer 2')
})

test('the program gets what its configuration asks for', async () => {
  const told = async (config: Partial<ExecConfig>) => JSON.parse((await setUp(config).plugin.get()).cert ?? '')
  const v1beta1 = 'client.authentication.k8s.io/v1beta1'
  expect(await told({ apiVersion: v1beta1, interactiveMode: 'Never' })).toEqual({
    apiVersion: v1beta1,
    kind: 'ExecCredential',
    spec: { interactive: false },
  })
  expect((await told({ provideClusterInfo: true })).spec.cluster).toEqual({ server: 'https://server' })
})

test.each([
  ['a failure', '', 'failed: not logged in'],
  ['no JSON', 'hello', 'did not answer with JSON'],
  ['something else', '{}', 'did not answer with an ExecCredential'],
  ['another version', '{"kind":"ExecCredential","apiVersion":"x"}', 'answered in x, and the kubeconfig says'],
  ['nothing of use', `{"kind":"ExecCredential","apiVersion":"${V1}"}`, 'no token and no client certificate'],
  [
    'a time that is none',
    `{"kind":"ExecCredential","apiVersion":"${V1}","status":{"token":"t","expirationTimestamp":"x"}}`,
    'an expirationTimestamp that is no time',
  ],
])('%s is an error that says so, and the next request tries again', async (_, answer, message) => {
  const { plugin, runs } = setUp({}, { ANSWER: answer })
  await expect(plugin.get()).rejects.toThrow(message)
  await expect(plugin.get()).rejects.toThrow(message)
  expect(runs()).toBe(2)
})

test('a program that is missing is said to be so, with the hint', async () => {
  const { plugin } = setUp({ command: 'homeostat-no-such-program', installHint: 'Install it with care.\n' })
  await expect(plugin.get()).rejects.toThrow(
    'the credential program "homeostat-no-such-program" of the kubeconfig is not installed\n\nInstall it with care.',
  )
})

test('a caller that gives up leaves the program to the others', async () => {
  const { plugin, token, runs } = setUp()
  const abort = new AbortController()
  const given = plugin.get(abort.signal).catch((error: unknown) => error)
  const kept = token()
  abort.abort('enough')
  expect(await given).toBe('enough')
  expect(await kept).toBe('Bearer 1')
  expect(runs()).toBe(1)
})

test('a program that must ask somebody fails where nobody is', async () => {
  const { plugin } = setUp({ interactiveMode: 'Always' })
  if (!process.stdin.isTTY) await expect(plugin.get()).rejects.toThrow('there is no terminal')
})

test('a program with a slash in its name is looked for beside the kubeconfig', async () => {
  const folder = temporaryFolder({
    'bin/plugin.mjs': PROGRAM,
    config: JSON.stringify({
      'current-context': 'c',
      clusters: [{ name: 'k', cluster: { server: 'https://server' } }],
      users: [
        {
          name: 'u',
          user: { exec: { apiVersion: V1, command: './bin/plugin.mjs', env: [{ name: 'COUNT', value: '/dev/null' }] } },
        },
      ],
      contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    }),
  })
  const { transport } = await readConnection({ path: join(folder, 'config') })
  expect((await transport.credentials?.get())?.headers).toEqual({ authorization: 'Bearer 0' })
})

test('what a plugin said is not repeated when it is no JSON', async () => {
  const { plugin } = setUp({}, { ANSWER: 't0ken-Kq7' })
  const error = await plugin.get().catch((error: unknown) => error)
  expect(inspect(error)).toContain('did not answer with JSON')
  expect(inspect(error)).not.toContain('t0ken-Kq7')
})
