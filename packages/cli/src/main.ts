#!/usr/bin/env node
// The `homeostat` command.

// Whatever is written may hold Secrets, so that it is its owner's alone.
process.umask(0o077)
// The store's thread starts while the rest is loaded, which takes about as long.
if (process.argv[2] === 'up') (await import('@homeostat/store/early')).startThreadEarly()
// A reader that went away must not end the command.
process.stdout.on('error', () => {})
const [{ run }, { processTerminal }] = await Promise.all([import('./run.ts'), import('./terminal.ts')])
// Ends even when something was left open.
process.exit(await run(process.argv.slice(2), processTerminal))
