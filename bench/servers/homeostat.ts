// Starts the control plane with a compile cache, on this very Node: as `npm start` does after its bootstrap, or as it is
// installed. Ready is the first 200 from /readyz.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { asServer, type Server, track } from './server.ts'

/** The arguments of Node that make it the command. */
export type Program = readonly string[]

export const sources: Program = [
  '--conditions=homeostat-source',
  '--min-semi-space-size=8',
  `--import=${new URL('../../scripts/quick-imports.ts', import.meta.url)}`,
  fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url)),
]

export function buildBundle(folder: string): Program {
  const script = fileURLToPath(new URL('../../scripts/bundle.ts', import.meta.url))
  const { status } = spawnSync(process.execPath, ['--conditions=homeostat-source', script, folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('the bundle cannot be built')
  return [join(folder, 'lib/homeostat.js')]
}

const READY_WITHIN_MS = 180_000

export interface Started extends Server {
  readonly readyMs: number
  readonly directory: string
}

const ports = new Map<string, number>()

export async function startHomeostat(
  program: Program,
  directory: string,
  compileCache: string,
  flags: readonly string[] = [],
): Promise<Started> {
  // Started again on the same port, as people do.
  const port = ports.get(directory) ?? (await freePort())
  ports.set(directory, port)
  const start = performance.now()
  const child = track(
    spawn(process.execPath, [...program, 'up', '--port', String(port), '--data-dir', directory, ...flags], {
      // The last one tells the server that the bench is gone, however it went.
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache, HOMEOSTAT_LIFELINE: '3' },
    }),
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
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
