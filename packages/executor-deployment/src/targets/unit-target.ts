// Runs executors as units of a runtime: processes of this machine, or containers. It lists the units by label each time and
// keeps no state.

import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '@homeostat/base'
import type { RegistryLogin, Runtime, UnitState } from '@homeostat/runtimes'
import type { Replica } from '../deployment-status.ts'
import type { UnitAccess } from '../identity/unit-identities.ts'
import type { DeploymentSpec } from '../spec/deployment-spec.ts'
import { planUnits } from './deployment-plan.ts'
import { executorUnit, templateHash, type UnitSettings } from './executor-unit.ts'
import { counted, type Names, type Target, type Work } from './target.ts'
import { hashOf, indexOf, type Owner, UID_LABEL, unitName } from './unit-identity.ts'

export interface UnitTargetOptions extends UnitSettings {
  readonly runtime: Runtime
  /** The singular and the plural for messages, e.g. `process` and `local processes`. */
  readonly words: { readonly unit: string; readonly one: string; readonly several: string }
  /** How long a started unit must run to count as running. */
  readonly settleMs: number
  /** Names of the online executors in a namespace. */
  online(owner: Owner): Promise<Names>
  /** How long a reconcile waits for started executors to come online. */
  readonly waitMs: number
  /** The identity of a unit that is about to start; undefined where none is needed. */
  identify(owner: Owner, spec: DeploymentSpec, name: string): Promise<UnitAccess | undefined>
  /** The login for the image's registry; undefined where none is named. */
  login(owner: Owner, spec: DeploymentSpec): Promise<RegistryLogin | undefined>
  /** Called when a unit was removed. */
  onGone(owner: Owner, name: string): Promise<void>
}

/** Concurrent stops. */
const STOPS_AT_ONCE = 16
const LOOK_AGAIN_MS = 100
/** The longest time from started to running. */
const STARTING_MS = 30_000
const LONGEST_OUTPUT = 300

export class UnitTarget implements Target {
  readonly #options: UnitTargetOptions
  readonly #runtime: Runtime

  constructor(options: UnitTargetOptions) {
    this.#options = options
    this.#runtime = options.runtime
  }

  async deploy(spec: DeploymentSpec, work: Work): Promise<boolean> {
    const { one, several, unit: word } = this.#options.words
    const units = await this.#units(work.owner)
    const running = units.filter(({ phase }) => phase !== 'exited').length
    work.say(`  Current replicas: ${running}, Desired: ${spec.replicas}`)
    const { remove, stop, start, replace } = planUnits({ replicas: spec.replicas, hash: templateHash(spec) }, units)
    for (const unit of remove) {
      work.say(`Found ${word} ended: ${unit.name} (${await this.#end(unit)})`)
      await this.#stop(unit, work.owner)
    }
    if (stop.length > 0) {
      work.say(`Scaling down: removing ${counted(stop.length, one, several)}`)
      await this.#stopAll(stop, work)
    }
    if (start.length > 0) {
      work.say(`Scaling up: deploying ${counted(start.length, `new ${one}`, `new ${several}`)}`)
      for (const index of start) await this.#start(spec, index, work)
      await this.#settled(work)
    }
    for (const unit of replace) {
      work.say(`Replacing ${word}: ${unit.name} (generation ${work.owner.generation})`)
      work.signal.throwIfAborted()
      await this.#stop(unit, work.owner)
      await this.#start(spec, indexOf(unit), work)
      await this.#settled(work)
    }
    return this.#cameOnline(work, start.length + replace.length > 0 ? this.#options.waitMs : 0)
  }

  async replicas(owner: Owner, spec: DeploymentSpec | undefined): Promise<Replica[]> {
    const hash = spec && templateHash(spec)
    const [units, online] = await Promise.all([this.#units(owner), this.#options.online(owner)])
    return Promise.all(
      units.map(async (unit) => ({
        name: unit.name,
        isOnline: online.has(unit.name),
        isRunning: unit.phase === 'running',
        isCurrent: hashOf(unit) === hash,
        ...(unit.phase === 'exited' && { message: await this.#end(unit) }),
      })),
    )
  }

  async remove(work: Work): Promise<void> {
    const units = await this.#units(work.owner)
    if (units.length === 0) return
    const { one, several } = this.#options.words
    work.say(`Scaling down: removing ${counted(units.length, one, several)}`)
    await this.#stopAll(units, work)
  }

  #units(owner: Owner): Promise<UnitState[]> {
    return this.#runtime.list({ [UID_LABEL]: owner.uid })
  }

  async #start(spec: DeploymentSpec, index: number, { owner, signal, say }: Work): Promise<void> {
    signal.throwIfAborted()
    const access = await this.#options.identify(owner, spec, unitName(owner, index))
    const login = await this.#options.login(owner, spec)
    const unit = executorUnit(owner, spec, index, this.#options, access, login)
    const id = await this.#runtime.start(unit).catch((cause: unknown) => {
      throw new Error(`cannot start ${unit.name}: ${messageOf(cause)}`, { cause })
    })
    const state = (await this.#units(owner)).find((one) => one.id === id)
    say(`Started ${this.#options.words.unit}: ${unit.name} (ID: ${state?.pid ?? id.slice(0, 12)})`)
  }

  async #stopAll(units: readonly UnitState[], { owner, say }: Work): Promise<void> {
    for (let at = 0; at < units.length; at += STOPS_AT_ONCE) {
      const stops = units.slice(at, at + STOPS_AT_ONCE).map(async (unit) => {
        await this.#stop(unit, owner)
        say(`Removed ${this.#options.words.unit}: ${unit.name}`)
      })
      const failed = (await Promise.allSettled(stops)).find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
    }
  }

  async #stop(unit: UnitState, owner: Owner): Promise<void> {
    await this.#runtime.stop(unit.id)
    await this.#options.onGone(owner, unit.name)
  }

  /** Rejects when a unit has ended already: an immediate restart would repeat forever. */
  async #settled({ owner, signal }: Work): Promise<void> {
    const { settleMs } = this.#options
    for (const began = performance.now(); ; await delay(Math.min(settleMs, LOOK_AGAIN_MS), undefined, { signal })) {
      const units = await this.#units(owner)
      const ended = units.find(({ phase }) => phase === 'exited')
      if (ended) throw new Error(`${ended.name} has ended already: ${await this.#end(ended)}`)
      const starting = units.find(({ phase }) => phase === 'starting')
      const passed = performance.now() - began
      if (!starting && passed >= settleMs) return
      if (starting && passed > STARTING_MS) {
        throw new Error(`${starting.name} does not get to run: ${starting.message ?? 'no reason'}`)
      }
    }
  }

  /** Waits until all executors are online; false after the timeout. */
  async #cameOnline(work: Work, ms: number): Promise<boolean> {
    for (let looks = Math.ceil(ms / LOOK_AGAIN_MS); ; looks--) {
      const [units, online] = await Promise.all([this.#units(work.owner), this.#options.online(work.owner)])
      if (units.every(({ name }) => online.has(name))) return true
      const ended = units.find(({ phase }) => phase === 'exited')
      if (ended) throw new Error(`${ended.name} has ended already: ${await this.#end(ended)}`)
      if (looks <= 0) return false
      await delay(LOOK_AGAIN_MS, undefined, { signal: work.signal })
    }
  }

  /** How a unit ended, with the last lines of its log. */
  async #end(unit: UnitState): Promise<string> {
    const { exitCode, reason, message } = unit
    const why = message ?? (reason === undefined || reason === 'Error' || reason === 'Completed' ? undefined : reason)
    const said = why ?? (isKilled(exitCode) ? 'killed' : await this.#lastLine(unit))
    return `exit code ${exitCode ?? 'unknown'}${said ? `, ${said}` : ''}`
  }

  async #lastLine({ id }: UnitState): Promise<string> {
    const chunks: Uint8Array[] = []
    try {
      for await (const chunk of this.#runtime.logs(id, { tailLines: 1 })) chunks.push(chunk)
    } catch {
      // The message goes without the log if that cannot be read.
    }
    return Buffer.concat(chunks).toString().trim().slice(0, LONGEST_OUTPUT)
  }
}

/** 128 plus the number of a signal: the log does not explain such an end. */
function isKilled(exitCode = 0): boolean {
  return exitCode > 128
}
