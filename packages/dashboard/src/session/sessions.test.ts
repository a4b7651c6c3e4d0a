import { expect, it } from 'vitest'
import { Sessions } from './sessions.ts'

const TOKEN = 'eyJh.bGci.OiJF'

function sessions(server = 'a1b2c3d4', secret = 'secret') {
  const clock = { time: 1_000_000, now: () => clock.time }
  return { clock, sessions: new Sessions({ secret: Buffer.from(secret), server, clock }) }
}

function headersOf(begun: { cookie: string; half: string } | undefined) {
  if (begun === undefined) throw new Error('no session')
  return { cookie: begun.cookie.split(';')[0] ?? '', 'x-homeostat-session': begun.half }
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
  for (const text of [begun?.cookie, begun?.half]) {
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
  expect(ours.begin(TOKEN, true)?.cookie).toMatch(
    /^__Host-homeostat-a1b2c3d4=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/,
  )
  expect(ours.begin(TOKEN, false)?.cookie).toMatch(/^homeostat-a1b2c3d4=/)
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
