// `homeostat executor bootstrap-token --type T`: makes a right to join for a fleet of executors, and prints the code that they
// join with. It is the only time that the code is shown.

import type { ApiObject } from '@homeostat/client'
import { joinCodeText } from '@homeostat/executor/credential'
import type { BootstrapToken } from '@homeostat/executor/protocol'
import { generateName, rfc3339 } from '@homeostat/meta'
import { createObject } from '../../access/objects.ts'
import { BOOTSTRAP_TOKENS, ROLE_BINDINGS, ROLES, SERVICE_ACCOUNTS } from '../../access/paths.ts'
import { withServer } from '../../access/session.ts'
import { usageFault } from '../../fault.ts'
import { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { noOperands } from '../operands.ts'
import { requestToken, serverFor } from './executor-access.ts'

export const bootstrapOptions = [
  'type',
  'uses',
  'bootstrap-for',
  'approval',
  'address',
  'certificate-authority',
  'children',
  ...colonyOptions,
] as const

/** The server issues no shorter tokens; the end of the BootstrapToken counts. */
const SHORTEST_MS = 600_000

export async function makeBootstrapToken(
  values: Values<(typeof bootstrapOptions)[number]>,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  noOperands(operands)
  const { type, uses, approval, children } = values
  if (!type) throw usageFault('name the type of the executors: homeostat executor bootstrap-token --type TYPE')
  await withServer(values, terminal, async (session) => {
    const { client, namespace } = session
    const server = await serverFor(session, values, terminal)
    const ms = values['bootstrap-for']
    const expiresAt = rfc3339((terminal.clock ?? Date).now() + ms)
    const name = generateName('join-')
    const spec = { executorType: type, uses, expiresAt, ...(approval && { approval }), ...(children && { children }) }
    const object = { apiVersion: 'colonies.io/v1', kind: 'BootstrapToken', metadata: { name }, spec }
    const made = await createObject<BootstrapToken>(client, BOOTSTRAP_TOKENS, namespace, object)
    const account = `bootstrap-${name}`
    const [accountObject, role, binding] = rightToJoin(made, account, namespace)
    await createObject(client, SERVICE_ACCOUNTS, namespace, accountObject)
    await createObject(client, ROLES, namespace, role)
    await createObject(client, ROLE_BINDINGS, namespace, binding)
    const token = await requestToken(client, namespace, account, Math.max(ms, SHORTEST_MS))
    const code = joinCodeText({ ...server, colony: namespace, bootstrapToken: name, token })
    const what = uses === 1 ? 'one executor' : `${uses} executors`
    terminal.error(`lets ${what} of the type ${type} join ${namespace} until ${expiresAt}, on their machines:\n`)
    terminal.out(`homeostat executor run --join ${code}\n`)
  })
  return 0
}

/** The account that may do nothing but join. Its objects go with the BootstrapToken. */
function rightToJoin({ metadata }: BootstrapToken, account: string, namespace: string): [object, object, object] {
  const owner = { apiVersion: 'colonies.io/v1', kind: 'BootstrapToken', name: metadata.name, uid: metadata.uid }
  const named: ApiObject['metadata'] = { name: account, ownerReferences: [owner] as never }
  const apiVersion = 'rbac.authorization.k8s.io/v1'
  const rule = {
    apiGroups: ['colonies.io'],
    resources: ['bootstraptokens/join'],
    resourceNames: [metadata.name],
    verbs: ['create'],
  }
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: account }
  const subjects = [{ kind: 'ServiceAccount', name: account, namespace }]
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: named },
    { apiVersion, kind: 'Role', metadata: named, rules: [rule] },
    { apiVersion, kind: 'RoleBinding', metadata: named, subjects, roleRef },
  ]
}
