// The resources that rows share: temporary directories, the load generator, servers, and objects. The bench creates one
// and closes it, which ends every process and removes every file.

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definition } from './items/definition.ts'
import { COLLECTION } from './items/item.ts'
import { createText } from './items/request-text.ts'
import { LoadGenerator } from './load/load-generator.ts'
import { type BareKind, startBare } from './servers/bare-server.ts'
import { buildBundle, type Program, type Started, sources, startHomeostat } from './servers/homeostat.ts'
import type { Server } from './servers/server.ts'

export class Lab {
  readonly load = new LoadGenerator()
  readonly #loads = [this.load]
  readonly #quick: boolean
  readonly #directory = mkdtempSync(join(tmpdir(), 'homeostat-bench-'))
  readonly #servers: Server[] = []
  #names = 0
  #populated: string | undefined
  #bundle: Program | undefined

  constructor(options: { quick: boolean }) {
    this.#quick = options.quick
  }

  /** Number of operations to measure; a tenth with --quick. */
  count(full: number): number {
    return this.#quick ? Math.max(1, Math.ceil(full / 10)) : full
  }

  newDirectory(): string {
    const directory = join(this.#directory, String(this.#names++))
    mkdirSync(directory)
    return directory
  }

  newFile(content: Uint8Array): string {
    const file = join(this.newDirectory(), 'content')
    writeFileSync(file, content)
    return file
  }

  /** The `homeostat` command as installed from its bundle. */
  get bundle(): Program {
    this.#bundle ??= buildBundle(join(this.#directory, 'bundle'))
    return this.#bundle
  }

  async start(directory: string, program: Program = sources, flags: readonly string[] = []): Promise<Started> {
    const server = await startHomeostat(program, directory, join(this.#directory, 'compile-cache'), flags)
    this.#servers.push(server)
    return server
  }

  /** Starts a server with the definition and the namespace of the items. */
  async startWithDefinition(program?: Program, flags?: readonly string[]): Promise<Started> {
    const server = await this.start(this.newDirectory(), program, flags)
    await post(server, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
    await post(server, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bench' } })
    await served(server)
    return server
  }

  async startBare(kind: BareKind, file: string, tls?: string): Promise<Server> {
    const server = await startBare(kind, file, tls)
    this.#servers.push(server)
    return server
  }

  /** Registers a server that a row started itself; it is closed with the others. */
  keep<S extends Server>(server: S): S {
    this.#servers.push(server)
    return server
  }

  /** Starts another load generator, for connections that stay open while others are measured. */
  newLoad(): LoadGenerator {
    const load = new LoadGenerator()
    this.#loads.push(load)
    return load
  }

  /** Creates objects as fast as the server accepts them. */
  async fill(server: Server, first: number, count: number): Promise<void> {
    await this.load.runAll({
      port: server.port,
      connections: 64,
      first,
      count,
      status: 201,
      text: createText(server.port),
    })
  }

  /** Deletes all objects. */
  async empty(server: Server): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${server.port}${COLLECTION}`, { method: 'DELETE' })
    if (response.status !== 200) throw new Error(`DELETE ${COLLECTION}: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
  }

  /** Copies a data directory with 10,000 objects. */
  async populatedDirectory(): Promise<string> {
    this.#populated ??= await this.#populate()
    const copy = this.newDirectory()
    cpSync(this.#populated, copy, { recursive: true })
    return copy
  }

  async stopServers(): Promise<void> {
    await Promise.all(this.#servers.splice(0).map((server) => server.stop()))
  }

  async close(): Promise<void> {
    for (const load of this.#loads) load.end()
    await this.stopServers()
    rmSync(this.#directory, { recursive: true, force: true })
  }

  async #populate(): Promise<string> {
    const server = await this.startWithDefinition()
    await this.fill(server, 0, 10_000)
    await server.stop()
    return server.directory
  }
}

export async function post(server: Server, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** Waits until the definition is served. */
async function served(server: Server): Promise<void> {
  for (let i = 0; i < 1000; i++) {
    const response = await fetch(`http://127.0.0.1:${server.port}${COLLECTION}?limit=1`)
    await response.arrayBuffer()
    if (response.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('the definition of the bench is not served')
}
