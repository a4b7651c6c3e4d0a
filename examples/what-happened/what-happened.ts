// Somebody makes a mistake on a server inside this program, and a machine dies. The command then tells what happened, and
// puts it right: why, history, diff, rollback, undelete, doctor.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Executor } from '@homeostat/executor/protocol'
import { operator } from '@homeostat/operator'
import { testColony } from '@homeostat/testing/colony'
import { stringify } from 'yaml'
import { z } from 'zod'
import { type Command, commandFor } from './command.ts'

/** A lamp of the office; what is to be lit is a ConfigMap that its operator writes. */
const lamp = operator(
  'office.example.org/v1/Lamp',
  { spec: z.object({ brightness: z.int() }) },
  ({ name, spec, child }) => [
    child('v1', 'ConfigMap', { metadata: { name: `lit-${name}` }, data: { brightness: String(spec.brightness) } }),
  ],
)

const DESK = { apiVersion: 'office.example.org/v1', kind: 'Lamp', name: 'desk', namespace: 'default' }
const LIT = { apiVersion: 'v1', kind: 'ConfigMap', name: 'lit-desk', namespace: 'default' } as const
const EXECUTOR = { apiVersion: 'colonies.io/v1', kind: 'Executor', name: 'bench-1', namespace: 'default' }
/** Without a call for this long an executor is lost; usually it is 30 s. */
const LOST_MS = 2_000

type Colony = Awaited<ReturnType<typeof testColony>>

export async function tellWhatHappened(print: (text: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-what-happened-'))
  try {
    await using colony = await testColony({ listen: true, lostMs: LOST_MS })
    const kubeconfig = join(folder, 'kubeconfig')
    writeFileSync(kubeconfig, stringify(people(colony.url ?? '')), { mode: 0o600 })
    await using command = commandFor(kubeconfig, print)
    const heading = (text: string) => print(`\n${text}\n\n`)
    await colony.run(lamp).ready
    heading('ada makes a lamp, and bob dims it by mistake')
    await mistake(colony, command)
    heading('Why is it dark?')
    await command.run('why configmap lit-desk')
    heading('What did it look like before?')
    await command.run('history lamp desk')
    await command.run('diff lamp desk --from 1 --to 2', { exits: 1 })
    heading('Back to that')
    await command.run('rollback lamp desk --to 1')
    await lit(colony, '80')
    heading('bob deletes it')
    await command.run('delete lamp desk', { as: 'bob' })
    await command.run('undelete lamp desk')
    await lit(colony, '80')
    await command.run('history lamp desk')
    heading('An executor dies')
    await death(colony, command)
    await command.run('doctor', { exits: 1 })
    await command.run('doctor --fix')
    await command.run('doctor')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function mistake(colony: Colony, command: Command): Promise<void> {
  const of = (brightness: number) =>
    stringify({
      apiVersion: DESK.apiVersion,
      kind: DESK.kind,
      metadata: { name: DESK.name, namespace: DESK.namespace },
      spec: { brightness },
    })
  await command.run('apply -f -', { input: of(80) })
  await lit(colony, '80')
  await command.run('apply -f -', { as: 'bob', input: of(8) })
  await lit(colony, '8')
}

/** Waits until the operator has done what the lamp asks for. */
async function lit(colony: Colony, brightness: string): Promise<void> {
  await colony.until(LIT, ({ data }) => data?.brightness === brightness)
}

async function death(colony: Colony, command: Command): Promise<void> {
  const kill = command.start('executor run --type bench --name bench-1')
  await colony.until<Executor>(EXECUTOR, ({ status }) => status?.phase === 'Online')
  await kill()
  await colony.until<Executor>(EXECUTOR, ({ status }) => status?.phase === 'Lost')
}

/** A kubeconfig in which the local administrator acts as ada or as bob. */
function people(server: string): object {
  const names = ['ada', 'bob']
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'here', cluster: { server } }],
    users: names.map((name) => ({ name, user: { as: name, 'as-groups': ['system:masters'] } })),
    contexts: names.map((name) => ({ name, context: { cluster: 'here', user: name, namespace: 'default' } })),
    'current-context': 'ada',
  }
}
