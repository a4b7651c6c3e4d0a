// A server process that forgets old changes all the time, as one that runs for days would now and then.
// The crash test starts it: compacting-server.ts DIRECTORY. Says where it is as the command line does.

import { startApiServer } from '@homeostat/apiserver'
import { jsonLog } from '@homeostat/base'
import { openSqliteStore } from '@homeostat/store'
import { widgetDefinition } from '../widgets.ts'

const store = await openSqliteStore({
  directory: process.argv[2] ?? '',
  horizonMs: 1,
  horizonChanges: 100,
  compactEveryMs: 5,
  historyPerKey: 3,
})
const server = await startApiServer({
  store,
  host: '127.0.0.1',
  port: 0,
  logger: jsonLog({ level: 'error', write: (line) => void process.stderr.write(line) }),
  definitions: [widgetDefinition],
})
process.stdout.write(`ready at http://127.0.0.1:${server.address.port}\n`)
process.once('SIGTERM', async () => {
  await server.close()
  await store.close()
  process.exit(0)
})
