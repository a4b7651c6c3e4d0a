// `homeostat executor run --type TYPE`: runs an executor until a signal ends it; running processes may finish.

import { type ExecutorFunction, executor, isExecutorEndedError, type RunningExecutor } from '@homeostat/executor'
import { readCredential, type StoredCredential } from '@homeostat/executor/credential'
import { writeJson } from '@homeostat/meta'
import type { Reaper } from '@homeostat/runtimes/reaper'
import { type Session, withServer } from '../../access/session.ts'
import { Fault, usageFault } from '../../fault.ts'
import { colonyOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { noOperands } from '../operands.ts'
import { echo, sleep } from './built-in-functions.ts'
import { executeWith } from './execute.ts'
import { join } from './join.ts'
import { loadFunctions } from './load-functions.ts'

export const runOptions = [
  'type',
  'name',
  'location',
  'concurrency',
  'module',
  'allow-commands',
  'join',
  'credential-file',
  ...colonyOptions,
] as const

type RunValues = Values<(typeof runOptions)[number]>

type ReadyValues = RunValues & { readonly type: string; readonly credentialFile?: string }

/** The grace period of programs that an earlier executor left behind. */
const ORPHAN_GRACE_MS = 1000

export async function runExecutor(values: RunValues, operands: readonly string[], terminal: Terminal): Promise<number> {
  noOperands(operands)
  const { credential, ...found } = await credentialFor(values, terminal)
  const type = values.type ?? (terminal.env.COLONIES_EXECUTOR_TYPE || credential?.type)
  if (!type) throw usageFault('name the type of the executor: homeostat executor run --type TYPE')
  // Installed first, so that a signal during the start counts too.
  const ending: Promise<unknown> = terminal.ending?.() ?? new Promise(() => {})
  const reaper = await reaperFor(values, terminal)
  try {
    const functions = await functionsOf(values, reaper)
    await runUntil(ending, { ...values, ...found, type }, functions, terminal)
  } finally {
    await reaper?.close()
  }
  return 0
}

/** The credential that the options lead to, also by joining; the server of the options is then that of the credential. */
async function credentialFor(
  values: RunValues,
  terminal: Terminal,
): Promise<{ credential?: StoredCredential; kubeconfig?: string; server?: undefined; credentialFile?: string }> {
  if (values.join !== undefined) {
    const joined = await join(values.join, values, terminal)
    return { credential: joined, kubeconfig: joined.file, server: undefined, credentialFile: joined.file }
  }
  const { kubeconfig } = values
  const credential = kubeconfig === undefined ? undefined : readCredential(kubeconfig)
  return credential && kubeconfig !== undefined ? { credential, credentialFile: kubeconfig } : {}
}

async function runUntil(
  ending: Promise<unknown>,
  values: ReadyValues,
  functions: Readonly<Record<string, ExecutorFunction>>,
  terminal: Terminal,
): Promise<void> {
  await withServer(values, terminal, async (session) => {
    const running = start(session, terminal, values, functions)
    // Retries without a limit, since an executor may be started before its server.
    const isOnline = await Promise.race([running.ready.then(() => true), ending.then(() => false)])
    if (isOnline) {
      const names = Object.keys(functions).join(', ')
      terminal.out(`executor ${running.name} of type ${values.type} is online in ${running.colony}: ${names}\n`)
      await Promise.race([running.done.catch(endedBecause), ending])
    }
    if (running.held > 0) terminal.error(`executor ${running.name} ends when the ${running.held} it runs have ended\n`)
    await running.close()
  })
}

/** For executors that may run programs: their programs end with them, even after a crash, and so do those of an earlier one. */
async function reaperFor(values: RunValues, terminal: Terminal): Promise<Reaper | undefined> {
  if (!values['allow-commands'] && values.module === undefined) return undefined
  // Only an executor that starts programs loads a package of the server's side.
  const { endOrphans, startReaper } = await import('@homeostat/runtimes/reaper')
  const reaper = startReaper()
  // Programs that functions of a module start inherit it too.
  terminal.inherit?.(reaper.env)
  const ended = await endOrphans(ORPHAN_GRACE_MS)
  if (ended > 0) terminal.error(`ended ${ended} processes that an executor had left running\n`)
  return reaper
}

async function functionsOf(
  values: RunValues,
  reaper: Reaper | undefined,
): Promise<Readonly<Record<string, ExecutorFunction>>> {
  return {
    echo,
    sleep,
    ...(reaper && values['allow-commands'] && { execute: executeWith(reaper.env) }),
    ...(values.module !== undefined && (await loadFunctions(values.module))),
  }
}

function start(
  { client, namespace }: Session,
  terminal: Terminal,
  values: ReadyValues,
  functions: Readonly<Record<string, ExecutorFunction>>,
): RunningExecutor {
  const { type, location, concurrency, credentialFile } = values
  const name = values.name ?? (terminal.env.COLONIES_EXECUTOR_NAME || undefined)
  const say = (fields: object, message: string) => terminal.error(`${message}${fieldsText(fields)}\n`)
  try {
    return executor({
      type,
      functions,
      colony: namespace,
      client,
      concurrency,
      ...(credentialFile !== undefined && { credential: credentialFile }),
      ...(name !== undefined && { name }),
      ...(location !== undefined && { location }),
      // The Fault below says why it ended by itself.
      log: { debug() {}, info() {}, warn: say, error: (fields, text) => isEnd(fields) || say(fields, text) },
    })
  } catch (error) {
    // The executor validates its options, which come from this command line.
    throw error instanceof Error ? new Fault(error.message, { exitCode: 2, cause: error }) : error
  }
}

function endedBecause(error: unknown): never {
  throw isExecutorEndedError(error) ? new Fault(error.message, { cause: error }) : error
}

function isEnd(fields: object): boolean {
  return 'err' in fields && isExecutorEndedError(fields.err)
}

function fieldsText(fields: object): string {
  const parts = Object.entries(fields).map(([name, value]) =>
    value instanceof Error ? value.message : `${name}=${typeof value === 'string' ? value : writeJson(value)}`,
  )
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`
}
