// A PostgreSQL server for one Database: its folder with data and password, and the unit that runs it. Everything is found again by
// name, so that a controller that was killed goes on where it was.

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { PermanentError } from '@homeostat/executor'
import type { Runtime, UnitState } from '@homeostat/runtimes'
import type { Fields } from '../resource.ts'
import { containerUnit, type EngineUnit, processUnit, servesVersion } from './database-plan.ts'

export interface OwnServerOptions {
  readonly runtime: Runtime
  /** Private; the parent of the folders of all servers. */
  readonly directory: string
}

export interface Superuser {
  readonly port: number
  readonly password: string
}

interface Place {
  readonly namespace: string
  readonly name: string
}

const LABEL = 'colonies.io/database'
/** As root, the server runs as nobody. */
const NOBODY = 65534
const isRoot = process.getuid?.() === 0
const AS_NOBODY = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--'] : []

export class OwnServer {
  readonly #runtime: Runtime
  readonly #directory: string

  constructor({ runtime, directory }: OwnServerOptions) {
    this.#runtime = runtime
    this.#directory = directory
  }

  /** Starts it if it does not run. The port is kept from one start to the next while it is free. */
  async ensure(place: Place, spec: Fields, formerPort: number | undefined): Promise<Superuser> {
    const folder = this.#folder(place)
    const isContainer = this.#runtime.name === 'docker'
    const passwordFile = join(folder, 'password')
    const password = preparePassword(folder, passwordFile, isContainer)
    const [unit] = await this.#units(place)
    if (unit !== undefined && unit.phase !== 'exited') return { port: Number(unit.labels[PORT]), password }
    const said = unit && (await this.#lastLine(unit))
    if (unit) await this.#runtime.stop(unit.id)
    const port = await freePort(formerPort)
    const data = join(folder, 'data')
    const engine: EngineUnit = {
      unitName: unitName(place),
      data,
      passwordFile,
      port,
      labels: { [LABEL]: labelOf(place), [PORT]: String(port) },
    }
    if (isContainer) {
      mkdirSync(data, { recursive: true })
      await this.#runtime.start(containerUnit(engine, spec))
    } else {
      const programs = await findPrograms(String(spec.version))
      await initialise(programs.initdb, folder, data, passwordFile)
      await this.#runtime.start(processUnit(engine, programs.postgres, AS_NOBODY))
    }
    // It may end at once again; the next reconcile then says with what.
    if (said) throw new Error(`PostgreSQL had ended and was started again: ${said}`)
    return { port, password }
  }

  /** The data stays where it is, for an object of the same name, unless it is to be deleted. */
  async remove(place: Place, keepData: boolean): Promise<void> {
    for (const { id } of await this.#units(place)) await this.#runtime.stop(id)
    if (!keepData) rmSync(this.#folder(place), { recursive: true, force: true, maxRetries: 3 })
  }

  /** Whether there is anything of it. */
  async isThere(place: Place): Promise<boolean> {
    return existsSync(this.#folder(place)) || (await this.#units(place)).length > 0
  }

  #units(place: Place): Promise<UnitState[]> {
    return this.#runtime.list({ [LABEL]: labelOf(place) })
  }

  /** Names of namespaces have no dots. */
  #folder({ namespace, name }: Place): string {
    return join(this.#directory, `${namespace}.${name}`)
  }

  async #lastLine({ id }: UnitState): Promise<string> {
    const chunks: Uint8Array[] = []
    try {
      for await (const chunk of this.#runtime.logs(id, { tailLines: 1 })) chunks.push(chunk)
    } catch {
      return 'its log cannot be read'
    }
    return Buffer.concat(chunks).toString().trim().slice(0, 300) || 'it printed nothing'
  }
}

const PORT = 'colonies.io/database-port'

function labelOf({ namespace, name }: Place): string {
  return `${namespace}.${name}`
}

function unitName({ namespace, name }: Place): string {
  return `database-${namespace}.${name}`.slice(0, 200)
}

/** That of the superuser, for the controller and for the server's first start. */
function preparePassword(folder: string, file: string, isContainer: boolean): string {
  if (!existsSync(file)) {
    // A server that runs as nobody has to reach its data. A container sees only what is mounted, with whatever user it has.
    mkdirSync(folder, { mode: isRoot && !isContainer ? 0o711 : 0o700, recursive: true })
    writeFileSync(`${file}.new`, randomBytes(24).toString('base64url'), { mode: 0o600 })
    if (isContainer) chmodSync(`${file}.new`, 0o644)
    else if (isRoot) chownSync(`${file}.new`, NOBODY, NOBODY)
    renameSync(`${file}.new`, file)
  }
  return readFileSync(file, 'utf8')
}

/** The parent of the servers' folders. As root others pass through it: PostgreSQL then runs as nobody. */
export function prepareDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: isRoot ? 0o711 : 0o700 })
}

/** A folder is data only when it is whole: an initdb that was killed begins anew. */
async function initialise(initdb: string, folder: string, data: string, passwordFile: string): Promise<void> {
  if (existsSync(data)) return
  const making = join(folder, 'making')
  rmSync(making, { recursive: true, force: true })
  mkdirSync(making, { mode: 0o700 })
  if (isRoot) chownSync(making, NOBODY, NOBODY)
  const login = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  const args = [...AS_NOBODY, initdb, ...login, '--encoding=UTF8', '--locale=C', '-D', making]
  const [program = '', ...rest] = args
  await promisify(execFile)(program, rest, { cwd: making })
  renameSync(making, data)
}

async function findPrograms(version: string): Promise<{ initdb: string; postgres: string }> {
  const installed: string[] = []
  for (const folder of [...debianPostgres(), ...(process.env.PATH ?? '').split(delimiter)]) {
    const postgres = join(folder, 'postgres')
    if (!existsSync(postgres) || !existsSync(join(folder, 'initdb'))) continue
    const { stdout } = await promisify(execFile)(postgres, ['--version'])
    const found = /\d+(\.\d+)*/.exec(stdout)?.[0] ?? ''
    if (servesVersion(found, version)) return { postgres, initdb: join(folder, 'initdb') }
    installed.push(found)
  }
  const there = installed.length === 0 ? 'none is installed' : `installed: ${[...new Set(installed)].join(', ')}`
  throw new PermanentError(
    `spec.version: PostgreSQL ${version} is not on this machine (${there}); or use runtime docker`,
  )
}

function debianPostgres(): string[] {
  const root = '/usr/lib/postgresql'
  return existsSync(root) ? readdirSync(root).map((version) => join(root, version, 'bin')) : []
}

async function freePort(preferred: number | undefined): Promise<number> {
  for (const wanted of preferred === undefined ? [0] : [preferred, 0]) {
    const server = createServer()
    const listening = once(server, 'listening').then(
      () => true,
      () => false,
    )
    server.listen(wanted, '127.0.0.1')
    if (!(await listening)) continue
    const { port } = server.address() as { port: number }
    server.close()
    await once(server, 'close')
    return port
  }
  throw new Error('no port of loopback is free')
}

/** The newest major version that Debian has here; undefined without one. */
export function newestPostgres(): string | undefined {
  const root = '/usr/lib/postgresql'
  const found = existsSync(root) ? readdirSync(root).filter((one) => existsSync(join(root, one, 'bin/initdb'))) : []
  return found.sort((a, b) => Number(b) - Number(a))[0]
}
