import { type ApiObject, type Client, createClient, createInformers } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { expect, it, onTestFinished } from 'vitest'
import { servedClient } from '../served-client.ts'
import { FAULTS, FaultProxy } from './fault-proxy.ts'
import { Listener, stateOf } from './listener.ts'

interface Secret extends ApiObject {
  stringData?: Record<string, string>
  data?: Record<string, string>
}

const SILENCE_MS = 200
const NAMES = 12

it.each([1, 2])('an informer behind every fault loses and reorders nothing (seed %i)', async (seed) => {
  const random = randomFrom(seed)
  const { client, proxy } = await faultyServer(random)
  const writer = new Writer(client, random)
  await writer.write(20)
  const through = createClient(nodeTransport({ url: proxy.url }))
  const troubles: string[] = []
  const informers = createInformers(through, {
    silenceLimit: { milliseconds: SILENCE_MS },
    backoff: { min: '1ms', max: '20ms' },
    random,
    onTrouble: ({ message }) => troubles.push(message),
  })
  onTestFinished(() => {
    informers.close()
    through.close()
  })
  const informer = informers.open<Secret>('v1', 'Secret', { namespace: 'default' })
  const listener = new Listener(informer)
  for (const fault of FAULTS) {
    proxy.inject(fault)
    // A fault of answers shows when a connection is made.
    if (fault.includes('answer')) proxy.cut()
    do await writer.write(5)
    while (fault !== 'none' && proxy.struck < 2)
  }
  proxy.inject('none')
  const last = await writer.write(1)
  await until(
    informer,
    () => informer.get({ namespace: 'default', name: last })?.metadata.resourceVersion === writer.at(last),
  )
  const { items } = await client.resourceOf<Secret>('v1', 'Secret').list({ namespace: 'default' })
  expect(stateOf(informer.list())).toEqual(stateOf(items))
  expect(listener.problems).toEqual([])
  expect(listener.state()).toEqual(stateOf(items))
  expect(troubles.length).toBeGreaterThan(10)
})

class Writer {
  readonly #secrets
  readonly #random: () => number
  readonly #versions = new Map<string, string>()
  #writes = 0

  constructor(client: Client, random: () => number) {
    this.#secrets = client.resourceOf<Secret>('v1', 'Secret')
    this.#random = random
  }

  at(name: string): string | undefined {
    return this.#versions.get(name)
  }

  /** The name of the last object that was written and is there. */
  async write(times: number): Promise<string> {
    let last = ''
    for (let i = 0; i < times || last === ''; i++) {
      const name = `secret-${Math.floor(this.#random() * NAMES)}`
      const exists = this.#versions.has(name)
      if (exists && this.#random() < 0.3) {
        await this.#secrets.delete({ name, namespace: 'default' })
        this.#versions.delete(name)
        if (last === name) last = ''
      } else {
        const stringData = { text: `line\u2028separator ${this.#writes++}` }
        const metadata = { name, namespace: 'default' }
        const { metadata: made } = exists
          ? await this.#secrets.patch(metadata, { stringData, metadata: { annotations: { text: stringData.text } } })
          : await this.#secrets.create({
              metadata: { ...metadata, annotations: { text: stringData.text } },
              stringData,
            })
        this.#versions.set(name, made.resourceVersion ?? '')
        last = name
      }
    }
    return last
  }
}

async function faultyServer(random: () => number): Promise<{ client: Client; proxy: FaultProxy }> {
  const { client, url, close } = await servedClient()
  const proxy = await FaultProxy.start(Number(new URL(url).port), random)
  onTestFinished(async () => {
    await proxy.close()
    await close()
  })
  return { client, proxy }
}

function until(informer: { subscribe(onChange: () => void): () => void }, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (holds()) return resolve()
    const unsubscribe = informer.subscribe(() => {
      if (!holds()) return
      resolve()
      queueMicrotask(() => unsubscribe())
    })
  })
}

/** Mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
