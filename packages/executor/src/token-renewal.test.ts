import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ManualClock, silentLog } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCredential, writeCredential, writeToken } from './credential-file.ts'
import { joinCodeText, readJoinCode } from './join-colony.ts'
import { tokenClaims } from './token-claims.ts'
import { renewTokens } from './token-renewal.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-credential-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const credential = {
  server: 'https://10.0.0.1:6443',
  ca: 'PEM',
  colony: 'lab',
  executor: 'ada',
  type: 'python',
  token: 'first',
}

function token(issuedAt: number, seconds: number, sub = 'system:serviceaccount:lab:executor-ada'): string {
  const payload = Buffer.from(JSON.stringify({ sub, iat: issuedAt, exp: issuedAt + seconds })).toString('base64url')
  return `head.${payload}.signature`
}

test('a credential is read as it was written, with the newest token, and is for its owner alone', () => {
  const path = join(folder, 'ada.kubeconfig')
  writeCredential(path, credential)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const tokenFile = `${path}.token`
  expect(readCredential(path)).toEqual({ ...credential, tokenFile })
  writeToken(tokenFile, 'second')
  expect(statSync(tokenFile).mode & 0o777).toBe(0o600)
  expect(readCredential(path)?.token).toBe('second')
  expect(() => writeCredential(path, credential)).toThrow('EEXIST')
  writeFileSync(join(folder, 'other'), 'apiVersion: v1\nkind: Config\n')
  expect(readCredential(join(folder, 'other'))).toBeUndefined()
  expect(readCredential(join(folder, 'nothing'))).toBeUndefined()
})

test('a code to join with is one word, and another text is refused', () => {
  const code = { server: 'https://a', colony: 'lab', bootstrapToken: 'join-1', token: 't', ca: 'PEM' }
  expect(readJoinCode(`${joinCodeText(code)}\n`)).toEqual(code)
  expect(joinCodeText(code)).toMatch(/^[\w-]+$/)
  for (const text of ['', 'abc', Buffer.from('{}').toString('base64url')])
    expect(() => readJoinCode(text)).toThrow('bootstrap-token')
})

test('the account and the life of a token are read; others have none', () => {
  const claims = { namespace: 'lab', account: 'executor-ada', issuedAt: 100, expiresAt: 700 }
  expect(tokenClaims(token(100, 600))).toEqual(claims)
  for (const text of ['', 'a.b.c', token(100, 600, 'ada'), token(100, 0)]) expect(tokenClaims(text)).toBeUndefined()
})

test('a token is renewed before it ends, again and again, and after a failure', async () => {
  const clock = new ManualClock(0)
  const tokenFile = join(folder, 'renewed')
  const asked: { path: string; at: number }[] = []
  let waiting = Promise.withResolvers<void>()
  const client = {
    requestJson: async ({ path }: { path: string }) => {
      asked.push({ path, at: clock.now() / 1000 })
      queueMicrotask(() => waiting.resolve())
      if (asked.length === 2) throw new Error('the server is away')
      return { status: { token: token(clock.now() / 1000, 1000) } }
    },
  } as unknown as Client
  const ending = new AbortController()
  const running = renewTokens({ client, token: token(0, 1000), tokenFile, clock, log: silentLog }, ending.signal)
  const advance = async (seconds: number) => {
    waiting = Promise.withResolvers()
    clock.advance(seconds * 1000)
    await waiting.promise
    // The loop continues with the answer before the next timer is looked at.
    await new Promise((resolve) => setImmediate(resolve))
  }
  await new Promise((resolve) => setImmediate(resolve))
  clock.advance(799_000)
  expect(asked).toEqual([])
  await advance(1)
  expect(readFileSync(tokenFile, 'utf8')).toBe(`${token(800, 1000)}\n`)
  await advance(800)
  expect(readFileSync(tokenFile, 'utf8')).toBe(`${token(800, 1000)}\n`)
  await advance(30)
  expect(readFileSync(tokenFile, 'utf8')).toBe(`${token(1630, 1000)}\n`)
  expect(asked.map(({ at }) => at)).toEqual([800, 1600, 1630])
  expect(asked[0]?.path).toBe('/api/v1/namespaces/lab/serviceaccounts/executor-ada/token')
  ending.abort()
  await running
})
