// `homeostat executor create NAME --type T`: makes the account of an executor with its rights, and writes its credential.

import { existsSync } from 'node:fs'
import { accountName, executorAccount } from '@homeostat/executor/account'
import { credentialText, writeCredential } from '@homeostat/executor/credential'
import { withServer } from '../../access/session.ts'
import { Fault, systemCode, usageFault } from '../../fault.ts'
import { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { oneName } from '../operands.ts'
import { createAccount, requestToken, serverFor } from './executor-access.ts'

export const createOptions = [
  'type',
  'credential-file',
  'address',
  'certificate-authority',
  'children',
  'token-for',
  ...colonyOptions,
] as const

export async function createExecutor(
  values: Values<(typeof createOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const name = oneName(operands, 'executor create')
  const { type, children } = values
  if (!type) throw usageFault('name the type of the executor: homeostat executor create NAME --type TYPE')
  const file = values['credential-file'] ?? `${name}.kubeconfig`
  if (file !== '-' && existsSync(file)) throw new Fault(`${file} exists already; a credential never overwrites a file`)
  await withServer(values, terminal, async (session) => {
    const { client, namespace } = session
    const server = await serverFor(session, values, terminal)
    await createAccount(session, executorAccount({ namespace, name, type, ...(children && { children }) }))
    const token = await requestToken(client, namespace, accountName(name), values['token-for'])
    const credential = { ...server, colony: namespace, executor: name, type, token }
    if (file === '-') {
      terminal.out(credentialText(`${name}.kubeconfig`, credential))
      return
    }
    try {
      writeCredential(file, credential)
    } catch (cause) {
      const code = systemCode(cause) ?? 'it failed'
      throw new Fault(`${file} could not be written (${code}); undo with: homeostat executor revoke ${name}`, { cause })
    }
    terminal.out(`${file} lets ${name} work in ${namespace} as an executor of the type ${type}\n`)
    terminal.out(`use it where it runs: homeostat executor run --kubeconfig ${file}\n`)
  })
  return 0
}
