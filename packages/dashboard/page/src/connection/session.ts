// The page's half of a session, kept for this tab. Another tab of the same server may ask for it, so that a new tab need not log in.

const KEY = 'homeostat-session'
/** When the session ends, by this browser's clock, if it can be renewed. */
const END_KEY = 'homeostat-session-end'
const HEADER = 'x-homeostat-session'
/** Whether a tab of this browser has begun a session: otherwise a new tab need not wait for an answer. */
const ANY_KEY = 'homeostat-session-begun'
/** Renewed so long before its end. */
const EARLY_MS = 45_000
/** A provider that does not answer is not asked more often. */
const AGAIN_MS = 10_000
/** How long a new tab waits for an older one to answer. */
const ASK_MS = 150

const channel = new BroadcastChannel(KEY)
let half = sessionStorage.getItem(KEY) ?? undefined
let end = Number(sessionStorage.getItem(END_KEY) ?? Number.POSITIVE_INFINITY)
let tried = 0
let renewing: Promise<void> | undefined

interface Told {
  readonly ask?: true
  readonly half?: string
  readonly end?: number
}

channel.addEventListener('message', ({ data }: MessageEvent<Told>) => {
  if (data.ask && half !== undefined) channel.postMessage({ half, end } satisfies Told)
})

/** What the server answers when a session begins or is renewed. */
export interface SessionAnswer {
  readonly half?: string
  readonly seconds?: number
  readonly renewable?: boolean
  readonly message?: string
}

/** Call once, before the first request. */
export async function findSession(): Promise<void> {
  if (half !== undefined || localStorage.getItem(ANY_KEY) === null) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ASK_MS)
    const take = ({ data }: MessageEvent<Told>) => {
      if (data.half === undefined) return
      clearTimeout(timer)
      channel.removeEventListener('message', take)
      keep(data.half, data.end)
      resolve()
    }
    channel.addEventListener('message', take)
    channel.postMessage({ ask: true })
  })
}

export function hasSession(): boolean {
  return half !== undefined
}

/** Renews the session before, when that is about to end. */
export async function sessionHeaders(): Promise<Record<string, string>> {
  const now = Date.now()
  if (half !== undefined && end - EARLY_MS <= now && now - tried >= AGAIN_MS) {
    tried = now
    renewing = renew().finally(() => {
      renewing = undefined
    })
  }
  await renewing
  return half === undefined ? {} : { [HEADER]: half }
}

/** Never rejects: when the session has ended, the next request is refused, and that leads to the login. */
async function renew(): Promise<void> {
  try {
    // One tab at a time: a provider may take a refresh token that comes twice for a stolen one.
    await navigator.locks.request(KEY, async () => {
      if (half === undefined) return
      const response = await fetch('/ui/renew', { method: 'POST', headers: { [HEADER]: half } })
      if (response.ok) keep(half, endOf((await response.json()) as SessionAnswer))
      else if (response.status === 401) setEnd(Number.POSITIVE_INFINITY)
    })
  } catch {
    // The server is away, which the request itself will show.
  }
}

/** Throws an Error when the server refuses the token's form. Whether it is good shows with the next request. */
export async function beginSession(token: string): Promise<void> {
  const response = await fetch('/ui/session', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  takeSession((await response.json()) as SessionAnswer)
}

/** Throws an Error when the answer is a refusal. */
export function takeSession(answer: SessionAnswer): void {
  if (answer.half === undefined) throw new Error(answer.message ?? 'the server refused the login')
  keep(answer.half, endOf(answer))
}

export async function endSession(): Promise<void> {
  forgetSession()
  localStorage.removeItem(ANY_KEY)
  await fetch('/ui/session', { method: 'DELETE' })
}

/** The server does not know it any more. */
export function forgetSession(): void {
  half = undefined
  sessionStorage.removeItem(KEY)
  setEnd(Number.POSITIVE_INFINITY)
}

/** What a WebSocket shows instead of the header; undefined for a page without a session. */
export async function newTicket(): Promise<string | undefined> {
  if (half === undefined) return undefined
  const response = await fetch('/ui/ticket', { method: 'POST', headers: await sessionHeaders() })
  if (!response.ok) return undefined
  return ((await response.json()) as { ticket?: string }).ticket
}

function keep(found: string, until = Number.POSITIVE_INFINITY): void {
  half = found
  sessionStorage.setItem(KEY, found)
  localStorage.setItem(ANY_KEY, 'yes')
  setEnd(until)
}

function setEnd(until: number): void {
  end = until
  if (Number.isFinite(until)) sessionStorage.setItem(END_KEY, String(until))
  else sessionStorage.removeItem(END_KEY)
}

function endOf({ seconds, renewable }: SessionAnswer): number {
  return renewable && seconds !== undefined ? Date.now() + seconds * 1000 : Number.POSITIVE_INFINITY
}
