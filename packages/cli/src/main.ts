// The `homeostat` command.

import { run } from './run.ts'
import { processTerminal } from './terminal.ts'

// Whatever is written may hold Secrets, so that it is its owner's alone.
process.umask(0o077)
// A reader that went away must not end the command.
process.stdout.on('error', () => {})
// Ends even when something was left open.
process.exit(await run(process.argv.slice(2), processTerminal))
