// The page's half of a session, kept for this tab. Another tab of the same server may ask for it, so that a new tab need not log in.

const KEY = 'homeostat-session'
const HEADER = 'x-homeostat-session'
/** How long a new tab waits for an older one to answer. */
const ASK_MS = 150

const channel = new BroadcastChannel(KEY)
let half = sessionStorage.getItem(KEY) ?? undefined

channel.addEventListener('message', ({ data }: MessageEvent<{ ask?: true; half?: string }>) => {
  if (data.ask && half !== undefined) channel.postMessage({ half })
})

/** Call once, before the first request. */
export async function findSession(): Promise<void> {
  if (location.hash.startsWith('#session=')) {
    keep(location.hash.slice('#session='.length))
    history.replaceState(null, '', location.pathname + location.search)
  }
  if (half !== undefined) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ASK_MS)
    const take = ({ data }: MessageEvent<{ half?: string }>) => {
      if (data.half === undefined) return
      clearTimeout(timer)
      keep(data.half)
      resolve()
    }
    channel.addEventListener('message', take, { once: true })
    channel.postMessage({ ask: true })
  })
}

export function hasSession(): boolean {
  return half !== undefined
}

export function sessionHeaders(): Record<string, string> {
  return half === undefined ? {} : { [HEADER]: half }
}

/** Throws an Error when the server refuses the token's form. Whether it is good shows with the next request. */
export async function beginSession(token: string): Promise<void> {
  const response = await fetch('/ui/session', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  const answer = (await response.json()) as { half?: string; message?: string }
  if (answer.half === undefined) throw new Error(answer.message ?? 'the server refused the token')
  keep(answer.half)
}

export async function endSession(): Promise<void> {
  forgetSession()
  await fetch('/ui/session', { method: 'DELETE' })
}

/** The server does not know it any more. */
export function forgetSession(): void {
  half = undefined
  sessionStorage.removeItem(KEY)
}

/** What a WebSocket shows instead of the header; undefined for a page without a session. */
export async function newTicket(): Promise<string | undefined> {
  if (half === undefined) return undefined
  const response = await fetch('/ui/ticket', { method: 'POST', headers: sessionHeaders() })
  if (!response.ok) return undefined
  return ((await response.json()) as { ticket?: string }).ticket
}

function keep(found: string): void {
  half = found
  sessionStorage.setItem(KEY, found)
}
