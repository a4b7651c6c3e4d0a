// Runs the controllers of the kinds for one colony, the first argument, on the server that the kubeconfig names, until Ctrl-C.

import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { defaultClient } from '@homeostat/client/node'
import { pbs, slurm } from '@homeostat/runtimes/batch'
import { startControllers } from './controllers.ts'

const [colony = process.env.COLONIES_COLONY_NAME || 'dev'] = process.argv.slice(2)
const system = process.env.HOMEOSTAT_BATCH_SYSTEM || 'slurm'
const batch = [slurm, pbs].find(({ name }) => name === system)
if (batch === undefined) {
  console.error(`HOMEOSTAT_BATCH_SYSTEM is ${JSON.stringify(system)}: slurm or pbs`)
  process.exit(1)
}
const directory = resolve(process.env.HOMEOSTAT_BATCH_DIRECTORY ?? '.homeostat/batch')
mkdirSync(directory, { recursive: true, mode: 0o700 })
const runtime = process.env.HOMEOSTAT_DATABASE_RUNTIME || 'local'
if (runtime !== 'local' && runtime !== 'docker') {
  console.error(`HOMEOSTAT_DATABASE_RUNTIME is ${JSON.stringify(runtime)}: local or docker`)
  process.exit(1)
}
// As root PostgreSQL runs as nobody, who cannot pass through .homeostat.
const ownPlace = process.getuid?.() === 0 ? '/var/lib/homeostat-databases' : '.homeostat/databases'
const databases = { directory: resolve(process.env.HOMEOSTAT_DATABASE_DIRECTORY || ownPlace), runtime } as const
const serverlessHosts = (process.env.HOMEOSTAT_SERVERLESS_HOSTS ?? '').split(',').filter((host) => host !== '')
const client = await defaultClient()
const controllers = startControllers({ client, colony, directory, batch, databases, serverlessHosts })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void controllers.close())
controllers.ready.then(
  () => console.log(`the controllers work in ${colony}; Ctrl-C ends them`),
  () => {}, // as `done`, below
)
await controllers.done.catch(() => {
  process.exitCode = 1 // the log says why
})
await controllers.close()
client.close()
