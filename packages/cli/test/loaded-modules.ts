// Preloaded by a test: writes which modules a command has loaded into the file that LOADED_MODULES names.

import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const loaded: string[] = []
registerHooks({
  load(url, context, next) {
    loaded.push(url)
    return next(url, context)
  },
})
process.on('exit', () => writeFileSync(process.env.LOADED_MODULES ?? '/dev/null', loaded.join('\n')))
