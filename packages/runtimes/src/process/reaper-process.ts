// The process behind a reaper: `reaper-process.ts COOKIE GRACE_MS`. It lives until its standard input ends, which is when its
// parent has ended or let go, and then ends all that carry the cookie.

import { endStartedBy } from './started-by.ts'

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const) process.on(signal, () => {})

const [cookie = '', graceMs = '0'] = process.argv.slice(2)
await new Promise<void>((resolve) => {
  process.stdin.once('close', resolve)
  process.stdin.on('error', () => resolve())
  process.stdin.resume()
})
await endStartedBy(cookie, Number(graceMs))
process.exit(0)
