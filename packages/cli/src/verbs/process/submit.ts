// `homeostat process submit FUNCTION --type TYPE`: prints the name of the process, or with --wait its output.

import { nobodyOnline } from '@homeostat/colony/views'
import type { Process } from '@homeostat/executor/protocol'
import { isStatusError } from '@homeostat/meta'
import { readValues } from '../../access/documents.ts'
import { createObject, listObjects } from '../../access/objects.ts'
import { EXECUTORS, PROCESSES } from '../../access/paths.ts'
import { type Session, withServer } from '../../access/session.ts'
import { Fault, usageFault } from '../../fault.ts'
import type { Terminal } from '../../terminal.ts'
import { followProcess, tellEnd } from './follow-process.ts'
import { type ProcessManifest, processManifest, type SubmitValues } from './process-manifest.ts'
import { processFault } from './read-process.ts'

export async function submitProcess(
  values: SubmitValues,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const [funcName, extra] = operands
  if (extra !== undefined)
    throw usageFault(`unexpected argument '${extra}'; arguments of the function are --arg '${extra}'`)
  const manifest = processManifest(funcName, values, await fileOf(values, terminal))
  return withServer(values, terminal, async (session) => {
    const process = await submit(session, manifest)
    if (!values.wait) {
      terminal.out(`${process.metadata.name}\n`)
      await warnIfNobodyHas(session, terminal, process)
      return 0
    }
    return tellEnd(terminal, await followProcess(session, terminal, process, values.timeout))
  })
}

/** Warns if no executor can run it now. That is no failure, since one may come later. */
async function warnIfNobodyHas(
  { client }: Session,
  terminal: Terminal,
  { metadata, spec, status }: Process,
): Promise<void> {
  if (status?.phase === 'Running') return
  const { executorType } = spec.conditions
  const executors = await listObjects(client, EXECUTORS, {
    namespace: metadata.namespace,
    fieldSelector: `spec.type=${executorType}`,
  })
  const nobody = nobodyOnline(executorType, executors, spec.funcName)
  if (nobody !== undefined) terminal.error(`Warning: ${metadata.name} waits: ${nobody}\n`)
}

export async function submit(session: Session, manifest: ProcessManifest): Promise<Process> {
  const { metadata } = manifest
  const namespace = metadata.namespace ?? session.namespace
  const name = metadata.name ?? ''
  try {
    return await createObject<Process>(session.client, PROCESSES, namespace, manifest)
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) throw processFault(error, { ...session, namespace, name })
    throw new Fault(
      `a process ${name} exists already in ${namespace}, and a name is submitted once; ` +
        `\`homeostat process wait ${name}\` tells how it ends, \`homeostat process retry ${name}\` submits it again`,
      { cause: error },
    )
  }
}

async function fileOf({ file }: SubmitValues, terminal: Terminal): Promise<unknown> {
  if (file === undefined) return undefined
  const [first, second] = await readValues(file, terminal)
  if (first === undefined) throw new Fault(`${file} has no process in it`)
  if (second !== undefined)
    throw new Fault(`${file} has several objects in it; \`kubectl create -f ${file}\` submits them all`)
  return first
}
