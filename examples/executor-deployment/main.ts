// The program: registers a definition, submits a resource, or is the controller, against any server with a colony.

import { join } from 'node:path'
import { createClient } from '@homeostat/client'
import { type NodeTransportOptions, nodeTransport, readConnection } from '@homeostat/client/node'
import { control } from './controller.ts'
import { readDocument } from './document.ts'
import { type Flags, parseFlags, USAGE } from './flags.ts'
import { register } from './register.ts'
import { readSettings, type Settings } from './settings.ts'
import { submit } from './submit.ts'

const say = (line: string) => console.log(line)

async function main(flags: Flags, signal: AbortSignal): Promise<void> {
  const { connection, settings } = await connect()
  const folder = process.env.INIT_CWD ?? process.cwd()
  const client = createClient(nodeTransport(connection))
  try {
    if (flags.mode === 'register-crd') {
      say(`Registering ResourceDefinition from file: ${flags.crd}`)
      await register(client, readDocument(flags.crd, folder), say)
    } else if (flags.mode === 'submit') {
      say(`Submitting resource from file: ${flags.resource}`)
      await submit(client, readDocument(flags.resource, folder), settings, say)
    } else {
      const data = process.env.HOMEOSTAT_DATA || join(import.meta.dirname, '../../.homeostat')
      const { allowCommands, location, runtimes } = flags
      const place = { location, runtimes }
      await control({ client, settings, directory: join(data, 'executors'), allowCommands, place, signal, say })
    }
  } finally {
    client.close()
  }
}

/** A kubeconfig leads to servers on other machines, over TLS and with a credential. */
async function connect(): Promise<{ connection: NodeTransportOptions; settings: Settings }> {
  const settings = readSettings(process.env)
  const { KUBECONFIG, COLONIES_SERVER_HOST } = process.env
  if (!KUBECONFIG || COLONIES_SERVER_HOST) return { connection: { url: settings.server }, settings }
  const { transport } = await readConnection({ path: KUBECONFIG })
  return { connection: transport, settings: { ...settings, server: transport.url } }
}

/** npm, its shell and the terminal may each deliver the same Ctrl+C. */
const SAME_SIGNAL_MS = 500
const ending = new AbortController()
let asked: number | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (asked !== undefined && performance.now() - asked > SAME_SIGNAL_MS) process.exit(1)
    asked ??= performance.now()
    ending.abort()
  })
}
try {
  const flags = parseFlags(process.argv.slice(2))
  if (flags.help) process.stdout.write(USAGE)
  else await main(flags, ending.signal)
} catch (error) {
  process.stderr.write(`crd-example: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
