// Without an argument: the story (story.ts). With the name of a colony: the controllers of the kinds for it, on the server that the
// kubeconfig names, until Ctrl-C.

import { mkdirSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defaultClient } from '@homeostat/client/node'
import { pbs, slurm } from '@homeostat/runtimes/batch'
import { startControllers } from './controllers.ts'
import { newestPostgres } from './database/own-server.ts'
import { tellStory } from './story.ts'

const [colony] = process.argv.slice(2)
if (colony === undefined) {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  const print = (line: string) => console.log(line)
  await tellStory({ print, postgres: newestPostgres(), definitions: definitionFiles(), signal: ending.signal }).catch(
    (error) => {
      if (!ending.signal.aborted) throw error
      process.exitCode = 130
    },
  )
  process.exit()
}
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

/** Ours, and those of the documents. */
function definitionFiles(): string[] {
  const folders = ['definitions', '../executor-deployment/definitions'].map((one) => join(import.meta.dirname, one))
  return folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
}
