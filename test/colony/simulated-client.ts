// Somebody who submits Processes and meddles: cancels, changes priorities, pauses and resumes the queue, deletes executors,
// and closes what is not theirs.

import { PAUSED_ANNOTATION, type ProcessSpec } from '@homeostat/executor/protocol'
import { NAMESPACE, ROOT, TYPES, type World } from './world.ts'

const KEYS = 6

export class SimulatedClient {
  readonly #world: World
  readonly #name: string
  #count = 0

  constructor(world: World, name: string) {
    this.#world = world
    this.#name = name
  }

  /** Until the world is healthy. */
  async live(): Promise<void> {
    const { pace, wild } = this.#world
    while (!wild.aborted) {
      await this.#act()
      await this.#world.pause(this.#world.within(pace.submit), wild)
    }
  }

  async #act(): Promise<void> {
    const dice = this.#world.random.between(0, 100)
    if (dice < 66) await this.submit()
    else if (dice < 76) await this.#cancel()
    else if (dice < 81) await this.#prioritize()
    else if (dice < 95) await this.#closeWhatIsNotTheirs()
    else if (dice < 97) await this.#pauseAndResume()
    else await this.#removeExecutor()
  }

  /** With a name of its own, so that it can be sent again when the answer was lost. */
  async submit(): Promise<void> {
    const { ledger, wire } = this.#world
    const process = `${this.#name}-${this.#count++}`
    const body = {
      apiVersion: 'colonies.io/v1',
      kind: 'Process',
      metadata: { name: process, namespace: NAMESPACE },
      spec: this.#spec(),
    }
    for (let tries = 0; tries < 20; tries++) {
      const { sent, reply } = await wire.send('POST', `${ROOT}/processes`, body)
      const exists = reply?.code === 409
      const uid: string | undefined = reply?.code === 201 ? reply.body.metadata.uid : undefined
      ledger.submits.push({ ...sent, process, ...(uid && { uid }), ...(exists && { outcome: 'accepted' }) })
      if (sent.outcome !== 'unknown') return
    }
  }

  #spec(): ProcessSpec {
    const world = this.#world
    const { random } = world
    const maxRetries = random.pick([undefined, 0, 1, 2, -1])
    return {
      funcName: 'work',
      conditions: { executorType: random.pick(TYPES) },
      ...(world.chance(20) && { priority: random.between(-2, 3) }),
      ...(world.chance(30) && { concurrencyKey: `key-${random.between(0, KEYS)}` }),
      ...(world.chance(40) && { maxExecSeconds: random.between(1, 4) }),
      ...(world.chance(5) && { maxWaitSeconds: random.between(1, 4) }),
      ...(maxRetries !== undefined && { maxRetries }),
    }
  }

  async #cancel(): Promise<void> {
    const process = this.#anyProcess()
    if (process === undefined) return
    const { sent } = await this.#patch(process, { cancel: true })
    this.#world.ledger.cancels.push({ ...sent, process })
  }

  async #prioritize(): Promise<void> {
    const process = this.#anyProcess()
    if (process !== undefined) await this.#patch(process, { priority: this.#world.random.between(-3, 4) })
  }

  /** Closes for another executor, or in an attempt that is over or has not begun. The ledger records it as it was sent. */
  async #closeWhatIsNotTheirs(): Promise<void> {
    const { executors, ledger, random, wire } = this.#world
    const taken = ledger.taken[random.between(Math.max(0, ledger.taken.length - 20), ledger.taken.length)]
    if (taken === undefined) return
    const { process } = taken
    const stranger = random.between(0, 2) === 0
    const executor = stranger ? (executors[random.between(0, executors.length)] ?? '') : taken.executor
    if (stranger && executor === taken.executor) return
    const attempt = stranger ? taken.attempt : Math.max(1, taken.attempt + random.pick([-1, 1]))
    if (!stranger && attempt === taken.attempt) return
    const token = ledger.newToken()
    const close = { executor, attempt, result: 'Succeeded', output: { token } } as const
    const { sent } = await wire.send('POST', `${ROOT}/processes/${process}/close`, close)
    ledger.closes.push({ ...sent, process, attempt, executor, result: 'Succeeded', requeue: false, token })
  }

  async #pauseAndResume(): Promise<void> {
    const { random, wild } = this.#world
    await this.pause(true)
    await this.#world.pause(random.between(0, 1500), wild)
    await this.pause(false)
  }

  /** Until it is known to be so. */
  async pause(paused: boolean): Promise<void> {
    const body = { metadata: { annotations: { [PAUSED_ANNOTATION]: paused ? 'true' : null } } }
    for (;;) {
      const { reply } = await this.#world.wire.send('PATCH', `/api/v1/namespaces/${NAMESPACE}`, body)
      if (reply?.code === 200) return
    }
  }

  async #removeExecutor(): Promise<void> {
    const { executors, ledger, random, wire } = this.#world
    const executor = executors[random.between(0, executors.length)] ?? ''
    const { sent } = await wire.send('DELETE', `${ROOT}/executors/${executor}`)
    ledger.removals.push({ ...sent, executor })
  }

  #patch(process: string, spec: object) {
    return this.#world.wire.send('PATCH', `${ROOT}/processes/${process}`, { spec })
  }

  #anyProcess(): string | undefined {
    const { ledger, random } = this.#world
    const { length } = ledger.submits
    return ledger.submits[random.between(Math.max(0, length - 100), length)]?.process
  }
}
