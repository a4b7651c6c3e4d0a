#!/usr/bin/env node
// The `homeostat` command.

import { startThreadEarly } from '@homeostat/store/early'
import { useCompileCache } from './compile-cache.ts'
import { processTerminal } from './terminal.ts'

// Files may contain Secrets, so only their owner may read them. A new project has none.
if (process.argv[2] !== 'init') process.umask(0o077)
useCompileCache(process.env)
// The store's thread starts while the rest of the code loads, which takes about as long.
if (process.argv[2] === 'up') startThreadEarly()
// The command goes on when the reader of standard output closes its end.
process.stdout.on('error', () => {})
// Late, so that all other code comes from the compile cache, and the thread starts before it.
const { run } = await import('./run.ts')
// Exits even if a handle is still open.
process.exit(await run(process.argv.slice(2), processTerminal))
