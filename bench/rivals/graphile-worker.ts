// graphile-worker on PostgreSQL, as it is without its options for batching. Run as `node graphile-worker.ts SOCKETS`.

import { createRequire } from 'node:module'
import { PAYLOAD, serveQueue, WORKERS } from './queue-program.ts'

/** As much of the packages as is used here. */
interface Listening {
  on(event: 'error', then: () => void): unknown
  on(event: 'connect', then: (client: Listening) => void): unknown
}
interface Pg {
  readonly default: { readonly Pool: new (options: object) => Listening }
}
interface GraphileWorker {
  makeWorkerUtils(options: object): Promise<{
    migrate(): Promise<void>
    addJob(task: string, payload: object): Promise<unknown>
  }>
  run(options: object): Promise<{ readonly events: { on(event: 'job:complete', then: () => void): void } }>
}

const require = createRequire(new URL('./package.json', import.meta.url))
const { default: pg } = (await import(require.resolve('pg'))) as Pg
const { makeWorkerUtils, run } = (await import(require.resolve('graphile-worker'))) as GraphileWorker

await serveQueue(async (host, done) => {
  // Adding and working have connections of their own, so that neither waits for the other's.
  const pool = (max: number) => {
    const made = new pg.Pool({ host, user: 'bench', database: 'postgres', max })
    // PostgreSQL may end before this does.
    const ignore = () => {}
    made.on('error', ignore)
    made.on('connect', (client) => client.on('error', ignore))
    return made
  }
  const utils = await makeWorkerUtils({ pgPool: pool(WORKERS) })
  await utils.migrate()
  const { events } = await run({
    pgPool: pool(WORKERS + 2),
    concurrency: WORKERS,
    noHandleSignals: true,
    taskList: { resize: async () => {} },
  })
  events.on('job:complete', done)
  return { add: () => utils.addJob('resize', PAYLOAD) }
})
