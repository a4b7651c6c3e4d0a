#!/usr/bin/env node
// The `homeostat` command.

import { useCompileCache } from './compile-cache.ts'

// Files may contain Secrets, so only their owner may read them. A new project has none.
if (process.argv[2] !== 'init') process.umask(0o077)
useCompileCache(process.env)
// The store's thread starts while the rest of the code loads, which takes about as long.
if (process.argv[2] === 'up') (await import('@homeostat/store/early')).startThreadEarly()
// The command goes on when the reader of standard output closes its end.
process.stdout.on('error', () => {})
const [{ run }, { processTerminal }] = await Promise.all([import('./run.ts'), import('./terminal.ts')])
// Exits even if a handle is still open.
process.exit(await run(process.argv.slice(2), processTerminal))
