// Asks for a token, or sends the browser to the provider, when the server lets nobody in without.

import { type FormEvent, useState } from 'react'
import { accepted } from '../connection/reachable.ts'
import { beginSession, endSession, forgetSession } from '../connection/session.ts'
import { forgetRights, whoAmI } from '../connection/who.ts'
import { Banner } from '../parts/banner.tsx'

export function Login({ onDone }: { readonly onDone: () => Promise<void> }) {
  const [token, setToken] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setProblem(undefined)
    try {
      forgetSession()
      await beginSession(token)
      if ((await whoAmI()) === undefined) throw new Error('The server does not know this token.')
      accepted()
      forgetRights()
      await onDone()
    } catch (error) {
      await endSession()
      setProblem((error as Error).message)
    } finally {
      setBusy(false)
    }
  }

  return (
    <main className="login">
      <h1>Homeostat</h1>
      <form onSubmit={(event) => void submit(event)}>
        <label htmlFor="token">Token</label>
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
        {problem !== undefined && <Banner>{problem}</Banner>}
        <button type="submit" className="main" disabled={busy}>
          {busy ? 'Logging in …' : 'Log in'}
        </button>
      </form>
    </main>
  )
}
