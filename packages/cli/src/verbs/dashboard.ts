// `homeostat dashboard`: the page for any cluster, on a port of this machine, with the credentials of a kubeconfig.

import { stderrLog } from '@homeostat/base/stderr-log'
import type { Transport } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { faultOf } from '../access/failure.ts'
import { connectionFor } from '../access/session.ts'
import { Fault, systemCode } from '../fault.ts'
import type { dashboardOptions } from '../options/option-groups.ts'
import type { Values } from '../options/option-table.ts'
import { checkConnectionTable, usersOfCredentials } from '../server/local-users.ts'
import type { Terminal } from '../terminal.ts'
import { noOperands } from './operands.ts'

type DashboardValues = Values<(typeof dashboardOptions)[number]>

export async function dashboard(
  values: DashboardValues,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  noOperands(operands)
  const users = usersOfCredentials(values['local-users'])
  if (users !== 'all') checkConnectionTable()
  const { url, transport } = await clusterOf(values, terminal.env)
  const port = values['dashboard-port']
  const { serveCluster } = await import('@homeostat/dashboard')
  const served = await serveCluster({
    transport,
    port,
    localUsers: users,
    readOnly: values['read-only'],
    log: stderrLog(terminal.env),
  }).catch((cause: unknown) => {
    if (systemCode(cause) !== 'EADDRINUSE') throw cause
    throw new Fault(`127.0.0.1:${port} is in use; choose another --port`, { cause })
  })
  terminal.out(`The dashboard of ${url} is at ${served.url}\n`)
  try {
    await (terminal.ending?.() ?? new Promise<never>(() => {}))
  } finally {
    served.close()
  }
  return 0
}

async function clusterOf(
  values: DashboardValues,
  env: Terminal['env'],
): Promise<{ url: string; transport: Transport }> {
  try {
    const { transport } = await connectionFor(values, env)
    return { url: transport.url, transport: nodeTransport(transport) }
  } catch (error) {
    throw faultOf(error, undefined)
  }
}
