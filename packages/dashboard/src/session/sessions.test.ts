import { expect, it } from 'vitest'
import { type BegunSession, Sessions } from './sessions.ts'

const TOKEN = 'eyJh.bGci.OiJF'

function sessions(server = 'a1b2c3d4', secret = 'secret') {
  const clock = { time: 1_000_000, now: () => clock.time }
  return { clock, sessions: new Sessions({ secret: Buffer.from(secret), server, clock }) }
}

function headersOf(begun: BegunSession | undefined) {
  if (begun === undefined) throw new Error('no session')
  return { cookie: begun.cookies[0]?.split(';')[0] ?? '', 'x-homeostat-session': begun.half }
}

it('the cookie and the half together are the token, and neither alone nor with another half', () => {
  const { sessions: ours } = sessions()
  const headers = headersOf(ours.begin(TOKEN, true))
  expect(ours.token(headers, true)).toBe(TOKEN)
  expect(ours.token({ cookie: headers.cookie }, true)).toBeUndefined()
  expect(ours.token({ 'x-homeostat-session': headers['x-homeostat-session'] }, true)).toBeUndefined()
  const others = headersOf(ours.begin(TOKEN, true))
  expect(ours.token({ ...headers, cookie: others.cookie }, true)).toBeUndefined()
})

it('the token is in neither of them', () => {
  const begun = sessions().sessions.begin(TOKEN, false)
  for (const text of [begun?.cookies[0], begun?.half]) {
    expect(text).not.toContain(TOKEN)
    expect(Buffer.from(text ?? '', 'base64url').toString('latin1')).not.toContain(TOKEN)
  }
})

it('a server with the same secret takes it, one with another secret does not', () => {
  const headers = headersOf(sessions().sessions.begin(TOKEN, true))
  expect(sessions().sessions.token(headers, true)).toBe(TOKEN)
  expect(sessions('a1b2c3d4', 'other').sessions.token(headers, true)).toBeUndefined()
})

it('the cookie is out of reach for scripts, other sites and other servers of the host', () => {
  const { sessions: ours } = sessions()
  expect(ours.begin(TOKEN, true)?.cookies[0]).toMatch(
    /^__Host-homeostat-a1b2c3d4=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/,
  )
  expect(ours.begin(TOKEN, false)?.cookies[0]).toMatch(/^homeostat-a1b2c3d4=/)
  const headers = headersOf(ours.begin(TOKEN, true))
  expect(sessions('ffffffff').sessions.token(headers, true)).toBeUndefined()
})

it('a session ends after twelve hours', () => {
  const { sessions: ours, clock } = sessions()
  const headers = headersOf(ours.begin(TOKEN, true))
  clock.time += 12 * 3600_000 - 1
  expect(ours.token(headers, true)).toBe(TOKEN)
  clock.time += 1
  expect(ours.token(headers, true)).toBeUndefined()
})

it('a ticket is good once, and for ten seconds', () => {
  const { sessions: ours, clock } = sessions()
  const ticket = ours.ticket(TOKEN)
  expect(ours.redeem(ticket)).toBe(TOKEN)
  expect(ours.redeem(ticket)).toBeUndefined()
  // The same bytes in another text.
  expect(ours.redeem(`${ticket}=`)).toBeUndefined()
  const late = ours.ticket(TOKEN)
  clock.time += 10_000
  expect(ours.redeem(late)).toBeUndefined()
})

it('whoever makes any number of sessions and tickets keeps nobody out', () => {
  const { sessions: ours } = sessions()
  const mine = ours.ticket(TOKEN)
  for (let count = 0; count < 17_000; count++) ours.redeem(ours.ticket('nonsense'))
  expect(ours.redeem(mine)).toBe(TOKEN)
  expect(ours.redeem(mine)).toBeUndefined()
})

it('a ticket is no session, and a session no ticket', () => {
  const { sessions: ours } = sessions()
  const headers = headersOf(ours.begin(TOKEN, false))
  expect(ours.redeem(headers.cookie.split('=')[1] ?? '')).toBeUndefined()
  const cookie = `homeostat-a1b2c3d4=${ours.ticket(TOKEN)}`
  expect(ours.token({ cookie, 'x-homeostat-session': '' }, false)).toBeUndefined()
})

it.each(['', ' ', 'a b', 'a\nb', 'ä', `${'x'.repeat(3001)}`])('%j is no token', (token) => {
  expect(sessions().sessions.begin(token, true)).toBeUndefined()
})

it.each(['', 'x', '=', '%00', 'a'.repeat(10_000)])('a damaged cookie %j is no session', (value) => {
  const { sessions: ours } = sessions()
  expect(ours.token({ cookie: `homeostat-a1b2c3d4=${value}`, 'x-homeostat-session': 'x' }, false)).toBeUndefined()
})

const renewal = { issuer: 'https://i.example', refreshToken: 'refresh-me' }

/** As a browser sends them to the path of renewals. */
function allOf(begun: BegunSession | undefined) {
  return { ...headersOf(begun), cookie: begun?.cookies.map((cookie) => cookie.split(';')[0]).join('; ') ?? '' }
}

it('a session of a provider ends with its token', () => {
  const { sessions: ours, clock } = sessions()
  const begun = ours.begin(TOKEN, true, { until: clock.now() + 60_000 })
  expect(begun).toMatchObject({ until: clock.now() + 60_000, renewable: false })
  expect(begun?.cookies[0]).toContain('Max-Age=60;')
  clock.time += 60_000
  expect(ours.token(headersOf(begun), true)).toBeUndefined()
})

it('it is renewed after its end, by a cookie of one path that only the half opens', () => {
  const { sessions: ours, clock } = sessions()
  const begun = ours.begin(TOKEN, true, { until: clock.now() + 60_000, renewal })
  expect(begun?.cookies[1]).toMatch(
    /^__Secure-homeostat-a1b2c3d4-renewal=[\w-]+; Path=\/ui\/renew; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/,
  )
  expect(begun?.cookies.join()).not.toContain('refresh-me')
  clock.time += 3600_000
  const headers = allOf(begun)
  expect(ours.renewal(headers, true)).toEqual({ ...renewal, until: 1_000_000 + 12 * 3600_000 })
  expect(ours.renewal({ ...headers, 'x-homeostat-session': 'other' }, true)).toBeUndefined()
  expect(ours.renewal({ cookie: headers.cookie }, true)).toBeUndefined()
})

it('a session that was renewed has the same half, and the person logs in again after twelve hours all the same', () => {
  const { sessions: ours, clock } = sessions()
  const begun = ours.begin(TOKEN, true, { renewal })
  clock.time += 11 * 3600_000
  const found = ours.renewal(allOf(begun), true)
  const renewed = ours.begin('new-token', true, { half: begun?.half ?? '', renewal: found })
  expect(renewed?.half).toBe(begun?.half)
  expect(ours.token(headersOf(renewed), true)).toBe('new-token')
  clock.time += 3600_000
  expect(ours.renewal(allOf(renewed), true)).toBeUndefined()
})

it('a renewal is no session, a session no renewal, and one that is too long for a cookie is left out', () => {
  const { sessions: ours } = sessions()
  const begun = ours.begin(TOKEN, false, { renewal })
  const [session = '', other = ''] = begun?.cookies.map((cookie) => cookie.split(';')[0]?.split('=')[1]) ?? []
  const half = { 'x-homeostat-session': begun?.half }
  expect(ours.token({ ...half, cookie: `homeostat-a1b2c3d4=${other}` }, false)).toBeUndefined()
  expect(ours.renewal({ ...half, cookie: `homeostat-a1b2c3d4-renewal=${session}` }, false)).toBeUndefined()
  const long = ours.begin(TOKEN, false, { renewal: { ...renewal, refreshToken: 'x'.repeat(3001) } })
  expect(long).toMatchObject({ renewable: false, cookies: [expect.any(String)] })
})
