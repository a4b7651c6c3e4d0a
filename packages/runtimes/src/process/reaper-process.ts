// The helper process of a reaper: `reaper-process.ts COOKIE GRACE_MS`. Its standard input ends when its parent ends or
// closes the pipe; then it ends all processes with the cookie.

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
