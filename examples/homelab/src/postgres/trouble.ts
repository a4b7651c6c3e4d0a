// What a failed call to PostgreSQL means for a resource. An outage is something to wait for and no failure: it has a short
// wait of its own, since no event says when the server is back. No message shows a password.

import { waiting } from '@homeostat/operator'
import { isRefusedLogin, isUnreachable } from './connect.ts'
import { NameTaken } from './name-taken.ts'

const SOON = { retryAfter: { seconds: 5 } }
const LATER = { retryAfter: { seconds: 60 } }

export function troubleOf(error: unknown, { host, port }: { readonly host: string; readonly port: number }): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const why = String(message || code)
  if (error instanceof NameTaken) return waiting('NameTaken', why, LATER)
  if (isRefusedLogin(error)) return waiting('LoginRefused', `PostgreSQL at ${host}:${port}: ${why}`, LATER)
  if (isUnreachable(error)) return waiting('Unreachable', `PostgreSQL at ${host}:${port}: ${why}`, SOON)
  return error
}
