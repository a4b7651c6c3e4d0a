// Reads the server's URL and the colony from the variables COLONIES_*. Pure.

type Env = Readonly<Record<string, string | undefined>>

export interface Settings {
  readonly server: string
  readonly colony: string
  /** Whether a variable names it; false for the default. */
  readonly isColonyGiven: boolean
  readonly executorName: string | undefined
}

export function readSettings(env: Env): Settings {
  const host = env.COLONIES_SERVER_HOST || '127.0.0.1'
  const port = env.COLONIES_SERVER_PORT || '3000'
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535) throw new Error(`COLONIES_SERVER_PORT=${port} is no port`)
  const isInsecure = (env.COLONIES_INSECURE || 'true') !== 'false'
  return {
    server: `${isInsecure ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    colony: env.COLONIES_COLONY_NAME || 'dev',
    isColonyGiven: (env.COLONIES_COLONY_NAME ?? '') !== '',
    executorName: env.COLONIES_EXECUTOR_NAME || undefined,
  }
}
