// `homeostat executor approve|reject|revoke NAME`: lets an executor in that joined, or ends its credential. An executor without the
// binding of its Role may do nothing; one without its account has no valid token.

import type { ApiObject, Client } from '@homeostat/client'
import { accountName, EXECUTOR_TYPE_ANNOTATION, executorAccount } from '@homeostat/executor/account'
import { createObject, deleteObject, findObject } from '../../access/objects.ts'
import { EXECUTORS, ROLE_BINDINGS, ROLES, SERVICE_ACCOUNTS } from '../../access/paths.ts'
import { type Session, withServer } from '../../access/session.ts'
import { Fault } from '../../fault.ts'
import { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { oneName } from '../operands.ts'

export const approvalOptions = colonyOptions

type ApprovalValues = Values<(typeof approvalOptions)[number]>

export async function approveExecutor(
  values: ApprovalValues,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const name = oneName(operands, 'executor approve')
  await withServer(values, terminal, async (session) => {
    const { client, namespace } = session
    const { metadata } = await accountOf(session, name)
    if (await isApproved(client, namespace, name)) {
      terminal.out(`${name} was approved already\n`)
      return
    }
    const type = metadata.annotations?.[EXECUTOR_TYPE_ANNOTATION] ?? ''
    const { binding } = executorAccount({ namespace, name, type })
    await createObject(client, ROLE_BINDINGS, namespace, binding)
    terminal.out(`${name} may work in ${namespace} as an executor of the type ${type}\n`)
  })
  return 0
}

export async function rejectExecutor(
  values: ApprovalValues,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const name = oneName(operands, 'executor reject')
  await withServer(values, terminal, async (session) => {
    await accountOf(session, name)
    if (await isApproved(session.client, session.namespace, name))
      throw new Fault(`${name} was approved; end its credential with: homeostat executor revoke ${name}`)
    await removeAccount(session, name)
    terminal.out(`${name} was rejected: its credential has ended\n`)
  })
  return 0
}

export async function revokeExecutor(
  values: ApprovalValues,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const name = oneName(operands, 'executor revoke')
  await withServer(values, terminal, async (session) => {
    await accountOf(session, name)
    await removeAccount(session, name)
    terminal.out(`the credential of ${name} has ended; what it held is given to others\n`)
  })
  return 0
}

async function accountOf({ client, namespace }: Session, name: string): Promise<ApiObject> {
  const account = await findObject(client, SERVICE_ACCOUNTS, namespace, accountName(name))
  if (account !== undefined) return account
  throw new Fault(`there is no credential for an executor ${name} in the namespace ${namespace}`)
}

async function isApproved(client: Client, namespace: string, name: string): Promise<boolean> {
  return (await findObject(client, ROLE_BINDINGS, namespace, accountName(name))) !== undefined
}

/** The account first: with it ends every token. The Executor last: its Processes are requeued when it can take none. */
async function removeAccount({ client, namespace }: Session, name: string): Promise<void> {
  for (const place of [SERVICE_ACCOUNTS, ROLE_BINDINGS, ROLES])
    await deleteObject(client, place, namespace, accountName(name))
  await deleteObject(client, EXECUTORS, namespace, name)
}
