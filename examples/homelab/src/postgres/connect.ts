// One connection to a PostgreSQL server, for as long as a piece of work takes, under a signal and with limits: a server that
// answers nothing must not hold a reconcile.

import { Client, type ClientConfig, DatabaseError } from 'pg'

export interface Server {
  readonly host: string
  readonly port: number
  readonly tls: 'disable' | 'require' | 'verify-full'
}

export interface Login {
  readonly user: string
  readonly password: string
  readonly database: string
}

const CONNECT_MS = 10_000
const STATEMENT_MS = 30_000

export async function withConnection<R>(
  server: Server,
  login: Login,
  signal: AbortSignal,
  work: (client: Client) => Promise<R>,
): Promise<R> {
  signal.throwIfAborted()
  const client = new Client(configOf(server, login))
  // A connection that breaks between two queries says so here, and again in the next query.
  client.on('error', () => {})
  const stop = () => void client.end().catch(() => {})
  signal.addEventListener('abort', stop, { once: true })
  try {
    await client.connect()
    return await work(client)
  } finally {
    signal.removeEventListener('abort', stop)
    await client.end().catch(() => {})
  }
}

function configOf({ host, port, tls }: Server, login: Login): ClientConfig {
  const ssl = tls === 'disable' ? false : { rejectUnauthorized: tls === 'verify-full', servername: host }
  const limits = { connectionTimeoutMillis: CONNECT_MS, statement_timeout: STATEMENT_MS, query_timeout: STATEMENT_MS }
  // Only what is given here counts: no PGHOST, no ~/.pgpass.
  return { host, port, ssl, ...login, ...limits, application_name: 'homelab operator' }
}

/** The server answered, and refuses this user or password. */
export function isRefusedLogin(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '28P01' || error.code === '28000')
}

/** Whether the server could not be asked: it is down, starts, stops, or cannot be reached. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof DatabaseError) return /^(57P0|08|53)/.test(error.code ?? '')
  const { code, message } = error as { code?: unknown; message?: unknown }
  const isNetwork = typeof code === 'string' && /^(E[A-Z]+|ERR_SOCKET)/.test(code)
  return isNetwork || /connection terminated|timeout expired|Query read timeout|not queryable/i.test(String(message))
}
