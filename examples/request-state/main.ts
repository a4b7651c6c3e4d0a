// The program: a director or a worker, against any server that has the RequestState kind.

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@homeostat/client'
import { clientFromKubeconfig, defaultClient } from '@homeostat/client/node'
import { isStatusError } from '@homeostat/meta'
import { run } from '@homeostat/operator'
import { director, startRequest } from './director.ts'
import { type Flags, parseFlags, USAGE } from './flags.ts'
import { worker } from './worker.ts'

/** How long the sample's jobs take. */
const JOB_MS = 500

const say = (line: string) => console.log(line)

async function main(flags: Flags, signal: AbortSignal): Promise<void> {
  const { kubeconfig, mode } = flags
  const client = await (kubeconfig === undefined ? defaultClient() : clientFromKubeconfig({ path: kubeconfig }))
  try {
    await (mode === 'director' ? direct(client, flags, signal) : work(client, signal))
  } finally {
    client.close()
  }
}

async function direct(client: Client, { namespace, requestUid }: Flags, signal: AbortSignal): Promise<void> {
  const uid = requestUid ?? randomUUID()
  await ensureNamespace(client, namespace)
  const fresh = await startRequest(client, uid, namespace, Date.now())
  say(fresh ? `request ${uid}: job=JOB1, state=REQUESTED` : `request ${uid}: going on`)
  const finished = new AbortController()
  const ending = AbortSignal.any([signal, finished.signal])
  const options = { uid, say, onFinished: () => finished.abort() }
  await run(director(options), { client, name: 'request-director', signal: ending }).done
}

async function work(client: Client, signal: AbortSignal): Promise<void> {
  const identity = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`
  say(`worker ${identity} waits for requests; Ctrl-C ends it`)
  const job = async (_job: string, stop: AbortSignal) => void (await pause(JOB_MS, undefined, { signal: stop }))
  await run(worker({ identity, say, work: job }), { client, name: 'request-worker', signal }).done
}

async function ensureNamespace(client: Client, name: string): Promise<void> {
  try {
    await client.resource('v1', 'Namespace').create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) throw error
  }
}

const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
try {
  const flags = parseFlags(process.argv.slice(2))
  if (flags.help) process.stdout.write(USAGE)
  else await main(flags, ending.signal)
} catch (error) {
  process.stderr.write(`request-state: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
