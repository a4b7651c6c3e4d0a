// The site's side of a login at a provider: what is sealed, for whom, and for how long. The provider is a table of answers here; the flow with
// a real one, in a browser, is in test/dashboard.

import { expect, it } from 'vitest'
import type { ProviderTokens } from '../src/session/providers.ts'
import { openSite } from '../src/site.ts'

const ISSUER = 'https://i.example'
const START = 1_000_000
const HOUR_MS = 3600_000

function site(life = HOUR_MS) {
  const clock = { time: START, now: () => clock.time }
  const asked: string[] = []
  const provider: { next: ProviderTokens | undefined | Error; issuers: string[] } = {
    next: undefined,
    issuers: [ISSUER],
  }
  const give = async () => {
    if (provider.next instanceof Error) throw provider.next
    return provider.next
  }
  let count = 0
  const fresh = (): ProviderTokens => ({
    idToken: `token-${++count}`,
    expiresAt: clock.time + life,
    refreshToken: `refresh-${count}`,
  })
  provider.next = fresh()
  const opened = openSite({
    secret: Buffer.from('secret'),
    server: 'a1b2c3d4',
    clock,
    providers: {
      issuers: () => provider.issuers,
      begin: async (issuer, redirect) => {
        asked.push(`begin ${redirect}`)
        return { url: `${issuer}/auth`, state: 'the-state', begun: { issuer, redirect, verifier: 'v', nonce: 'n' } }
      },
      finish: async ({ redirect, verifier, nonce }, brought) => {
        asked.push(`finish ${redirect} ${verifier} ${nonce} ${brought.get('code')}`)
        return (await give()) as ProviderTokens
      },
      refresh: async (issuer, refreshToken) => {
        asked.push(`refresh ${issuer} ${refreshToken}`)
        return give()
      },
    },
  })
  let cookies: Record<string, string> = {}
  async function ask(method: string, url: string, body: object = {}, headers: Record<string, string> = {}) {
    const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`)
    const answer = await opened.answer({
      method,
      url,
      headers: { host: 'box.example:6443', cookie: cookie.join('; '), ...headers },
      secure: true,
      body: async () => Buffer.from(JSON.stringify(body)),
    })
    if ('pass' in answer) return { token: answer.token }
    for (const [at, name] of answer.headers.entries()) {
      if (name !== 'Set-Cookie') continue
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(answer.headers[at + 1] ?? '') ?? []
      cookies = { ...cookies, [key]: value }
    }
    return { ...JSON.parse(answer.body?.toString() || '{}'), status: answer.status }
  }
  async function logIn() {
    const { kept } = await ask('POST', '/ui/login/begin', { issuer: ISSUER })
    const { half } = await ask('POST', '/ui/login/finish', { kept, answer: 'code=c&state=the-state' })
    return { 'x-homeostat-session': half as string }
  }
  return { clock, asked, provider, fresh, ask, logIn }
}

it('says where one may log in', async () => {
  expect(await site().ask('GET', '/ui/session')).toEqual({ status: 200, issuers: [ISSUER] })
})

it('a login gives a session of the provider’s token, and the exact address to come back to', async () => {
  const { ask, asked, logIn } = site()
  const half = await logIn()
  expect(asked).toEqual(['begin https://box.example:6443/ui/login', 'finish https://box.example:6443/ui/login v n c'])
  expect(await ask('GET', '/ui/api/version', {}, half)).toEqual({ token: 'token-1' })
})

it('what the page keeps shows nothing, and is good with its state, at its server, for ten minutes', async () => {
  const { ask, clock } = site()
  const { kept, url } = await ask('POST', '/ui/login/begin', { issuer: ISSUER })
  expect(url).toBe('https://i.example/auth')
  expect(Buffer.from(kept, 'base64url').toString('latin1')).not.toContain('verifier')
  const answer = 'code=c&state=the-state'
  for (const wrong of [
    { kept, answer: 'code=c&state=other' },
    { kept, answer: 'code=c' },
    { kept: `AAAA${kept.slice(4)}`, answer },
  ])
    expect(await ask('POST', '/ui/login/finish', wrong)).toMatchObject({ status: 400 })
  expect(await ask('POST', '/ui/login/finish', { kept })).toMatchObject({ status: 400 })
  expect(await ask('POST', '/ui/login/finish', { kept, answer: `${answer}&x=${'x'.repeat(9000)}` })).toMatchObject({
    status: 400,
  })
  clock.time += 10 * 60_000
  expect(await ask('POST', '/ui/login/finish', { kept, answer })).toMatchObject({ status: 400 })
})

it('is renewed by whoever asks first; the others get what is there', async () => {
  const { ask, asked, clock, logIn, provider, fresh } = site(10 * 60_000)
  const half = await logIn()
  expect(await ask('POST', '/ui/renew', {}, half)).toMatchObject({ status: 200, seconds: 600, renewable: true })
  clock.time += 9.5 * 60_000
  provider.next = fresh()
  expect(await ask('POST', '/ui/renew', {}, half)).toMatchObject({ status: 200, seconds: 600, renewable: true })
  expect(await ask('POST', '/ui/renew', {}, half)).toMatchObject({ status: 200, seconds: 600, renewable: true })
  expect(asked.filter((one) => one.startsWith('refresh'))).toEqual([`refresh ${ISSUER} refresh-1`])
  expect(await ask('GET', '/ui/api/version', {}, half)).toEqual({ token: 'token-2' })
  // Rotated: the next time the new one is sent, also after the token has ended.
  clock.time += HOUR_MS
  provider.next = fresh()
  expect(await ask('POST', '/ui/renew', {}, half)).toMatchObject({ status: 200 })
  expect(asked.at(-1)).toBe(`refresh ${ISSUER} refresh-2`)
})

it('is not renewed without its half, by a provider that refuses, or at an issuer that is not accepted any more', async () => {
  const { ask, clock, logIn, provider } = site()
  const half = await logIn()
  clock.time += HOUR_MS
  expect(await ask('POST', '/ui/renew')).toMatchObject({ status: 401 })
  expect(await ask('POST', '/ui/renew', {}, { 'x-homeostat-session': 'other' })).toMatchObject({ status: 401 })
  provider.next = new Error('cannot be asked: ECONNREFUSED')
  expect(await ask('POST', '/ui/renew', {}, half)).toMatchObject({
    status: 502,
    message: 'cannot be asked: ECONNREFUSED',
  })
  provider.next = undefined
  expect(await ask('POST', '/ui/renew', {}, half)).toMatchObject({ status: 401 })
  provider.issuers = []
  expect(await ask('POST', '/ui/renew', {}, half)).toMatchObject({ status: 401 })
  expect(await ask('POST', '/ui/login/begin', { issuer: ISSUER })).toMatchObject({ status: 400 })
})

it('says what is wrong with a token that no cookie holds', async () => {
  const { ask, provider } = site()
  provider.next = { idToken: 'x'.repeat(3001), expiresAt: START + HOUR_MS, refreshToken: undefined }
  const { kept } = await ask('POST', '/ui/login/begin', { issuer: ISSUER })
  const answer = await ask('POST', '/ui/login/finish', { kept, answer: 'code=c&state=the-state' })
  expect(answer).toMatchObject({ status: 502, message: expect.stringContaining('3001 characters') })
})

it('strangers who begin logins keep a provider busy with a few at a time', async () => {
  const { ask, provider } = site()
  provider.next = new Error('slow')
  const kept = (await ask('POST', '/ui/login/begin', { issuer: ISSUER })).kept
  const all = await Promise.all(
    Array.from({ length: 40 }, () => ask('POST', '/ui/login/finish', { kept, answer: 'code=c&state=the-state' })),
  )
  const statuses = all.map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([502, 503]))
  expect(statuses.filter((status) => status === 502)).toHaveLength(16)
  expect(await ask('POST', '/ui/login/begin', { issuer: ISSUER })).toMatchObject({ status: 200 })
})

it('a dashboard that sends the credentials of a kubeconfig has no sessions at all', async () => {
  const opened = openSite({ secret: Buffer.from('s'), server: 'a', sessions: false })
  const ask = async (method: string, url: string) =>
    opened.answer({ method, url, headers: { host: 'x' }, secure: false, body: async () => Buffer.from('{}') })
  for (const [method, path] of [
    ['GET', 'session'],
    ['POST', 'session'],
    ['POST', 'login/begin'],
    ['POST', 'renew'],
  ] as const)
    expect(await ask(method, `/ui/${path}`)).toMatchObject({ status: 403 })
})
