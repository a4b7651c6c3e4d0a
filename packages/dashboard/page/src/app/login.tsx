// Sends the browser to a provider, or asks for a token, when the server lets nobody in without.

import { type FormEvent, useEffect, useState } from 'react'
import { beginLogin, loginIssuers, loginProblem } from '../connection/provider-login.ts'
import { accepted } from '../connection/reachable.ts'
import { beginSession, endSession, forgetSession } from '../connection/session.ts'
import { forgetRights, whoAmI } from '../connection/who.ts'
import { useShown } from '../live/shown.ts'
import { Banner } from '../parts/banner.tsx'

export function Login({ onDone }: { readonly onDone: () => Promise<void> }) {
  const [token, setToken] = useState('')
  const [busy, setBusy] = useState(false)
  const [issuers, setIssuers] = useState<readonly string[]>([])
  const problem = useShown(loginProblem)
  useEffect(() => void loginIssuers().then(setIssuers), [])

  async function attempt(steps: () => Promise<void>) {
    setBusy(true)
    loginProblem.set(undefined)
    try {
      await steps()
    } catch (error) {
      loginProblem.set((error as Error).message)
    } finally {
      setBusy(false)
    }
  }

  async function logIn() {
    forgetSession()
    await beginSession(token)
    try {
      if ((await whoAmI()) === undefined) throw new Error('The server does not know this token.')
      accepted()
      forgetRights()
      await onDone()
    } catch (error) {
      await endSession()
      throw error
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    void attempt(logIn)
  }

  return (
    <main className="login">
      <h1>Homeostat</h1>
      {problem !== undefined && <Banner>{problem}</Banner>}
      {issuers.map((issuer) => (
        <button
          key={issuer}
          type="button"
          className="main provider"
          disabled={busy}
          onClick={() => void attempt(() => beginLogin(issuer))}
        >
          Log in with {issuer.replace(/^https:\/\//, '')}
        </button>
      ))}
      <form onSubmit={submit}>
        <label htmlFor="token">{issuers.length === 0 ? 'Token' : 'Or a token'}</label>
        <input
          id="token"
          type="password"
          autoComplete="off"
          required
          value={token}
          onChange={(event) => setToken(event.target.value)}
          aria-describedby="token-help"
        />
        <p id="token-help" className="quiet">
          A token of a service account or of your provider. <code>kubectl create token NAME</code> makes one; the
          administrator's credentials stay on the server's machine.
        </p>
        <button type="submit" className={issuers.length === 0 ? 'main' : undefined} disabled={busy}>
          {busy ? 'Logging in …' : 'Log in'}
        </button>
      </form>
    </main>
  )
}
