// The login at a provider: the browser leaves the page, and comes back with a code. What ends the login is kept in this tab meanwhile,
// with the address where the person was.

import { Shown } from '../live/shown.ts'
import { type SessionAnswer, takeSession } from './session.ts'

const KEY = 'homeostat-login'
const BACK_PATH = '/ui/login'

/** Why the last login has failed. */
export const loginProblem = new Shown<string | undefined>(undefined)

/** The issuers at which one may log in. None where the server has none, or cannot be asked. */
export async function loginIssuers(): Promise<readonly string[]> {
  try {
    const response = await fetch('/ui/session')
    return response.ok ? ((await response.json()) as { issuers: readonly string[] }).issuers : []
  } catch {
    return []
  }
}

/** Leaves the page. Throws an Error when the provider cannot be asked. */
export async function beginLogin(issuer: string): Promise<void> {
  const answer = (await post('begin', { issuer })) as { url?: string; kept?: string; message?: string }
  if (answer.url === undefined) throw new Error(answer.message ?? 'the server refused the login')
  const back = location.pathname + location.search
  sessionStorage.setItem(KEY, JSON.stringify({ kept: answer.kept, back }))
  location.assign(answer.url)
}

/** Call once, before the first request: ends the login with which the browser comes back, and goes to where the person was. False: there is none. */
export async function finishLogin(): Promise<boolean> {
  if (location.pathname !== BACK_PATH) return false
  const answer = location.search.slice(1)
  const text = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  const { kept, back = '/ui' } = text === null ? {} : (JSON.parse(text) as { kept?: string; back?: string })
  // The code stays neither in the address nor in the history.
  history.replaceState(null, '', back === BACK_PATH ? '/ui' : back)
  try {
    if (kept === undefined) throw new Error('This login was not begun in this tab. Begin it again.')
    takeSession((await post('finish', { kept, answer })) as SessionAnswer)
  } catch (error) {
    loginProblem.set((error as Error).message)
  }
  return true
}

async function post(step: 'begin' | 'finish', body: object): Promise<unknown> {
  const response = await fetch(`${BACK_PATH}/${step}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.json()
}
