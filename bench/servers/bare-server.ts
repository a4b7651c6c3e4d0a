// Starts one of the bare servers in a process of its own.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { asServer, type Server, track } from './server.ts'

export type BareKind = 'same-bytes' | 'writes' | 'watch' | 'colony'

/** `file` is what it serves, or its database. With `tls`, a folder with `ca.crt` and `ca.key`, it speaks TLS. */
export async function startBare(kind: BareKind, file: string, tls?: string): Promise<Server> {
  const script = fileURLToPath(new URL(`../bare/${kind}.ts`, import.meta.url))
  const child = track(
    spawn(process.execPath, [script, file, ...(tls === undefined ? [] : [tls])], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  const ready = once(child.stdout, 'data')
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the bare server ${kind} ended before it was ready`)
  })
  ended.catch(() => {})
  const [line] = await Promise.race([ready, ended])
  return asServer(child, Number(String(line)))
}
