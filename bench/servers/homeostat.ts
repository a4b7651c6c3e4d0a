// Starts the control plane as `npm start` does after its bootstrap: the command's entry point on this very Node,
// from source, with a compile cache. Ready is the first 200 from /readyz.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { asServer, type Server, track } from './server.ts'

const entry = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))
const READY_WITHIN_MS = 60_000

export interface Started extends Server {
  readonly readyMs: number
  readonly directory: string
}

const ports = new Map<string, number>()

export async function startHomeostat(directory: string, compileCache: string): Promise<Started> {
  // Started again on the same port, as people do.
  const port = ports.get(directory) ?? (await freePort())
  ports.set(directory, port)
  const start = performance.now()
  const child = track(
    spawn(
      process.execPath,
      ['--conditions=homeostat-source', entry, 'up', '--port', String(port), '--data-dir', directory],
      {
        // The last one tells the server that the bench is gone, however it went.
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
        env: { ...process.env, NODE_COMPILE_CACHE: compileCache, HOMEOSTAT_LIFELINE: '3' },
      },
    ),
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4000)
    })
  }
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`homeostat ended before it was ready:\n${output}`)
    if (performance.now() - start > READY_WITHIN_MS) throw new Error(`homeostat is not ready:\n${output}`)
    await sleep(1)
  }
  return { ...asServer(child, port), readyMs: performance.now() - start, directory }
}

/** On a connection of its own each time, so that none is left open. */
function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path: '/readyz', agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    }).on('error', () => resolve(false))
  })
}

/** Free a moment ago, which is enough on a machine that runs a benchmark. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
