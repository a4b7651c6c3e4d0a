// Kills a server again and again while clients write and watch, then gathers all that they were told.
// How the server is started is the caller's; here every start uses the same data.

import { setTimeout as delay } from 'node:timers/promises'
import { call, revisionOf } from '../http-call.ts'
import type { ServerProcess } from '../server-process.ts'
import { WatchReader } from '../watch-reader.ts'
import { widgetPath } from '../widgets.ts'
import type { LogEntry, Run, Stream } from './checker.ts'
import { keyOf, Ledger } from './ledger.ts'
import type { Random } from './random.ts'
import { COLORS, colorOf, makeWidget, tokenOf } from './token.ts'
import { NAMESPACE, Writer } from './writer.ts'

export interface CrashOptions {
  readonly kills: number
  readonly random: Random
  /** Starts the server on the data; resolves when it is ready. */
  readonly start: () => Promise<ServerProcess>
  /** Starts the server and kills it before it is ready. */
  readonly startInVain?: () => Promise<void>
}

export interface CrashRun extends Omit<Run, 'log'> {
  readonly ledger: Ledger
  /** What the watcher of everything saw: the log, if it missed nothing. */
  readonly watched: readonly LogEntry[]
}

const WRITERS = 6

export async function crashRun({ kills, random, start, startInVain }: CrashOptions): Promise<CrashRun> {
  const ledger = new Ledger()
  const writers = Array.from({ length: WRITERS }, (_, index) => new Writer(`w${index}`, random, ledger))
  let readers: readonly WatchReader[] | undefined
  for (let kill = 0; kill < kills; kill++) {
    const server = await start()
    await list(server.url, ledger)
    readers ??= watchers(ledger.seen)
    const life = new AbortController()
    const clients = [...readers, ...writers].map((client) => run(client, server.url, life.signal))
    // Counted in writes, so that a slow machine sees as much happen as a fast one.
    await Promise.race([ledger.written(random.between(0, 150)), Promise.all(clients)])
    await delay(random.between(0, 20))
    await server.stop('SIGKILL')
    life.abort()
    await Promise.all(clients)
    if (kill % 5 === 0) await startInVain?.()
  }
  await finish(await start(), ledger, readers ?? [])
  return {
    ledger,
    writes: ledger.writes,
    reads: ledger.reads,
    pictures: ledger.pictures,
    streams: (readers ?? []).map(streamOf),
    watched: (readers?.[0]?.events ?? []).map(({ type, object }) => ({
      key: keyOf(object),
      revision: Number(object.metadata.resourceVersion),
      token: type === 'DELETED' ? undefined : tokenOf(object),
    })),
  }
}

/** All, one namespace, one colour, one whose connections end every second, and server-sent events. */
function watchers(from: number): readonly WatchReader[] {
  const paths = [
    widgetPath(),
    widgetPath(NAMESPACE),
    `${widgetPath(NAMESPACE)}?labelSelector=color%3D${COLORS[0]}`,
    `${widgetPath()}?timeoutSeconds=1`,
  ]
  const kubernetes = paths.map((path) => new WatchReader({ path, from }))
  return [...kubernetes, new WatchReader({ path: '/watch?resource=widgets', from, serverSent: true })]
}

function run(client: WatchReader | Writer, url: string, signal: AbortSignal): Promise<void> {
  return client instanceof Writer ? client.run(url, signal) : client.follow(url, signal)
}

/** After each start all objects are listed, before anyone writes. */
async function list(url: string, ledger: Ledger): Promise<void> {
  const { seen } = ledger
  const answer = await call(url + widgetPath())
  if (answer.code === 200) ledger.addList(answer.body, seen)
  else ledger.surprises.push(`list: ${answer.code} ${answer.text}`)
}

/** Lets every watcher see the end: one last Widget that all of them select. */
async function finish(server: ServerProcess, ledger: Ledger, readers: readonly WatchReader[]): Promise<void> {
  const life = new AbortController()
  const following = readers.map((reader) => reader.follow(server.url, life.signal))
  const token = tokenOfColor(COLORS[0])
  const { seen } = ledger
  const made = await call(server.url + widgetPath(NAMESPACE), 'POST', makeWidget('last', token))
  const revision = revisionOf(made.body)
  ledger.addWrite({ key: `${NAMESPACE}/last`, token, seen, outcome: 'acknowledged', revision })
  await list(server.url, ledger)
  await Promise.all(readers.map((reader) => reader.reached(revision)))
  life.abort()
  await Promise.all(following)
  await server.stop()
}

function tokenOfColor(color: string): string {
  let end = 0
  while (colorOf(`end-${end}`) !== color) end++
  return `end-${end}`
}

function streamOf(reader: WatchReader): Stream {
  const { path, from } = reader.options
  const color = /color%3D(\w+)/.exec(path)?.[1]
  return {
    name: path,
    from,
    ...(color !== undefined && { color }),
    events: reader.events.map(({ type, object }) => ({
      type,
      key: keyOf(object),
      revision: Number(object.metadata.resourceVersion),
      token: tokenOf(object),
    })),
  }
}
