// `homeostat login` against a real issuer, with real kubectl: by browser, by device, from the cache, by a refresh.

import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { spawnHomeostat, startServer } from '../server-process.ts'
import { need } from '../tools.ts'
import { visit } from './browser.ts'
import { CLIENT_ID, startProvider, type TestProvider } from './provider.ts'

const run = promisify(execFile)
const kubectl = need('kubectl')
const main = join(import.meta.dirname, '../../packages/cli/src/main.ts')

async function setUp(life?: { idTokenSeconds: number }) {
  const provider = await startProvider(life)
  const folder = temporaryFolder()
  const ca = join(folder, 'issuer.crt')
  writeFileSync(ca, provider.ca)
  const server = await startServer(join(folder, 'data'), [
    ...['--secure', '--secure-port', '0', '--runtime', 'none'],
    ...['--oidc-issuer-url', provider.url, '--oidc-client-id', CLIENT_ID, '--oidc-ca-file', ca],
    ...['--oidc-username-prefix', 'oidc:'],
  ])
  const kubeconfig = join(folder, 'kubeconfig')
  copyFileSync(server.kubeconfig, kubeconfig)
  // `homeostat` as it is installed: a program on the PATH.
  const programs = join(folder, 'bin')
  mkdirSync(programs)
  const command = [process.execPath, '--conditions=homeostat-source', '--disable-warning=ExperimentalWarning', main]
  writeFileSync(join(programs, 'homeostat'), `#!/bin/sh\nexec ${command.map((part) => `'${part}'`).join(' ')} "$@"\n`)
  chmodSync(join(programs, 'homeostat'), 0o755)
  const env = {
    ...process.env,
    PATH: `${programs}${delimiter}${process.env.PATH}`,
    XDG_CACHE_HOME: join(folder, 'cache'),
    KUBECONFIG: kubeconfig,
    BROWSER: 'none',
  }
  const asked = ['--issuer', provider.url, '--client-id', CLIENT_ID, '--issuer-ca', ca]
  const whoami = () =>
    run(kubectl.path ?? '', ['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}'], { env })
  return { provider, folder, env, asked, whoami, cache: join(folder, 'cache/homeostat/login') }
}

/** Starts a login and does what it asks for, as a person would. */
async function logIn(provider: TestProvider, env: NodeJS.ProcessEnv, argv: readonly string[]) {
  const child = spawnHomeostat(['login', ...argv], env)
  const said = new Promise<string>((resolve) => {
    let shown = ''
    child.stderr?.on('data', (chunk) => {
      shown += chunk
      const url = /^ {2}(https:\S+)$/m.exec(shown)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.on('close', () => resolve(shown))
  })
  const out = child.stdout === null ? '' : text(child.stdout)
  const page = await visit(await said, provider.ca)
  const [code] = await new Promise<[number]>((resolve) => child.on('close', (exit) => resolve([exit ?? -1])))
  return { page, out: await out, code }
}

test.skipIf(kubectl.missing)('kubectl is the user who logged in with a browser, until the cache is gone', async () => {
  const { provider, env, asked, whoami, cache } = await setUp()
  const { page, out, code } = await logIn(provider, env, asked)
  expect(page.body).toContain('You are logged in')
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('logged in at') })
  expect(statSync(cache).mode & 0o777).toBe(0o700)
  const [file = ''] = readdirSync(cache)
  expect(readdirSync(cache)).toEqual([file])
  expect(statSync(join(cache, file)).mode & 0o777).toBe(0o600)
  const before = provider.tokenRequests()
  expect((await whoami()).stdout).toBe('oidc:ada')
  expect(provider.tokenRequests()).toBe(before)
  // Without a person and without tokens the plugin says what to do.
  writeFileSync(join(cache, file), '{"idToken": 1')
  await expect(whoami()).rejects.toMatchObject({ stderr: expect.stringContaining('you are not logged in') })
})

test.skipIf(kubectl.missing)('an ID token that has ended is refreshed once, by whoever asks first', async () => {
  // Every token of this issuer is about to end.
  const { provider, env, asked, whoami, cache } = await setUp({ idTokenSeconds: 50 })
  await logIn(provider, env, asked)
  const file = join(cache, readdirSync(cache)[0] ?? '')
  const first = readFileSync(file, 'utf8')
  const before = provider.tokenRequests()
  expect((await whoami()).stdout).toBe('oidc:ada')
  expect(provider.tokenRequests()).toBeGreaterThan(before)
  expect(readFileSync(file, 'utf8')).not.toBe(first)
  expect(readdirSync(cache)).toHaveLength(1)
})

test.skipIf(kubectl.missing)('a device logs in with a code that is typed elsewhere', async () => {
  const { provider, env, asked, whoami } = await setUp()
  expect(await logIn(provider, env, [...asked, '--device'])).toMatchObject({ code: 0 })
  expect((await whoami()).stdout).toBe('oidc:ada')
})

test('what comes back without the state of this login is refused, and the login goes on', async () => {
  const { provider, env, asked } = await setUp()
  const child = spawnHomeostat(['login', ...asked], env)
  const url = await new Promise<URL>((resolve) => {
    let shown = ''
    child.stderr?.on('data', (chunk) => {
      shown += chunk
      const found = /^ {2}(https:\S+)$/m.exec(shown)?.[1]
      if (found !== undefined) resolve(new URL(found))
    })
  })
  const back = url.searchParams.get('redirect_uri') ?? ''
  expect(new URL(back).hostname).toBe('127.0.0.1')
  expect(url.searchParams.get('code_challenge_method')).toBe('S256')
  const state = url.searchParams.get('state') ?? ''
  const foreign = await fetch(`${back}?code=stolen&state=${state.slice(1)}x`)
  const elsewhere = await fetch(
    back.replace('127.0.0.1', 'localhost').replace('/callback', `/callback?code=c&state=${state}`),
  )
  expect([foreign.status, elsewhere.status]).toEqual([400, 400])
  const ended = new Promise((resolve) => child.on('close', resolve))
  expect((await visit(url.href, provider.ca)).body).toContain('You are logged in')
  expect(await ended).toBe(0)
})

test.each([
  [['--client-id', 'x'], 2, 'name the issuer'],
  [['--issuer', 'http://127.0.0.1:1', '--client-id', 'x'], 2, 'an issuer has an https URL'],
  [['--issuer', 'https://127.0.0.1:1', '--client-id', 'x'], 1, 'cannot be asked: ECONNREFUSED'],
] as const)('says what is wrong with %j', async (argv, code, message) => {
  const child = spawnHomeostat(['login', ...argv], { XDG_CACHE_HOME: temporaryFolder(), BROWSER: 'none' })
  const shown = child.stderr === null ? '' : text(child.stderr)
  const exit = await new Promise((resolve) => child.on('close', resolve))
  expect({ exit, shown: await shown }).toEqual({ exit: code, shown: expect.stringContaining(message) })
})
