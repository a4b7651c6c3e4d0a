// Decides what is shown: a way to log in, or the screens.

import { isStatusError } from '@homeostat/meta'
import { RouterProvider } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { loginProblem } from '../connection/provider-login.ts'
import { reach } from '../connection/reachable.ts'
import { hasSession } from '../connection/session.ts'
import { whoAmI } from '../connection/who.ts'
import { followKinds } from '../kinds/follow-kinds.ts'
import { loadKinds } from '../kinds/served-kinds.ts'
import { useShown } from '../live/shown.ts'
import { Login } from './login.tsx'
import { router } from './routes.tsx'

const REFUSED = 'The session has ended, or the server refuses its token. Log in again.'

type Start =
  | { readonly step: 'asking' }
  | { readonly step: 'login' }
  | { readonly step: 'ready'; readonly user: string }
  | { readonly step: 'failed'; readonly error: Error }

export function App() {
  const [start, setStart] = useState<Start>({ step: 'asking' })
  const { refused } = useShown(reach)
  const begin = useCallback(async () => {
    try {
      // At once: each waits for the server. What is refused to somebody whom it does not know is asked again after the login.
      const kinds = loadKinds()
      kinds.catch(() => {})
      const user = await whoAmI()
      if (user === undefined) {
        if (hasSession()) loginProblem.set(REFUSED)
        return setStart({ step: 'login' })
      }
      await kinds
      setStart({ step: 'ready', user })
    } catch (error) {
      if (isStatusError(error, 'Unauthorized') && hasSession()) loginProblem.set(REFUSED)
      setStart({ step: 'failed', error: error as Error })
    }
  }, [])
  useEffect(() => void begin(), [begin])
  const isReady = start.step === 'ready' && !refused
  useEffect(() => (isReady ? followKinds() : undefined), [isReady])
  if (refused || start.step === 'login') return <Login onDone={begin} />
  if (start.step === 'ready') return <RouterProvider router={router} context={{ user: start.user }} />
  if (start.step === 'asking')
    return (
      <p className="starting" role="status">
        Connecting …
      </p>
    )
  return (
    <main className="starting">
      <h1>The server does not answer</h1>
      <p>{start.error.message}</p>
      <button type="button" onClick={() => void begin()}>
        Try again
      </button>
    </main>
  )
}
