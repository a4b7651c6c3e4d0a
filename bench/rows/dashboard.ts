// The dashboard in a real browser. A table of 10,000 objects under 1,000 changes per second: when its first rows are there, what a change
// costs by the browser's own count, and its memory. A tree of 5,000: what a step costs. And what the first screen loads.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { atMostCount, atMostMemory } from '../finding.ts'
import { patchText } from '../items/request-text.ts'
import type { Lab } from '../lab.ts'
import { group } from '../row.ts'
import type { Server } from '../servers/server.ts'

const OBJECTS = 10_000
const PER_TICK = 100
const TICK_MS = 100
const BROWSER = '/usr/bin/chromium'
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The heap as it is, not rounded.
  '--enable-precise-memory-info',
]
const TABLE = '/ui/kinds/bench.example.com/v1/items?ns=bench'
const MIB = 2 ** 20

interface Shown {
  readonly lab: Lab
  readonly server: Server
  readonly page: Page
  readonly browser: CDPSession
}

export const dashboard = group(open, [
  {
    work: 'dashboard, a table of 10,000 objects: the first rows after the page was opened, best of 3 (ms)',
    async measure({ page, server }, work) {
      const times: number[] = []
      for (let i = 0; i < 3; i++) {
        await page.goto(`http://127.0.0.1:${server.port}${TABLE}`)
        times.push(Number(await page.evaluate(FIRST_ROW)))
      }
      return atMostCount(work, Math.round(Math.min(...times)), 500, `${times.map(Math.round).join(', ')} ms`)
    },
  },
  {
    work: 'dashboard, the same table under 1,000 changes per second: script time per change (µs)',
    async measure(shown, work) {
      await complete(shown)
      // The first changes are compiled.
      await changes(shown, 2)
      const before = await scriptSeconds(shown.browser)
      const count = await changes(shown, 10)
      const each = (((await scriptSeconds(shown.browser)) - before) * 1e6) / count
      return atMostCount(work, each, 100, `${count} changes`)
    },
  },
  {
    work: 'dashboard, the same table: JS heap after 20,000 more changes',
    async measure(shown, work) {
      const before = await heapMiB(shown.browser)
      await changes(shown, 20)
      const after = await heapMiB(shown.browser)
      // Flat: what is held does not depend on how many changes there were.
      if (after > before * 1.25 + 5) throw new Error(`the heap grows from ${before} to ${after} MiB`)
      return atMostMemory(work, after, undefined, 150)
    },
  },
  {
    work: 'dashboard, a tree of 5,000 nodes: script time per step of panning (ms)',
    async measure(shown, work) {
      await openTree(shown)
      const before = await scriptSeconds(shown.browser)
      await pan(shown.page)
      const each = (((await scriptSeconds(shown.browser)) - before) * 1000) / PAN_STEPS
      return atMostCount(work, each, 50, `${PAN_STEPS} steps`)
    },
  },
  {
    work: 'dashboard, first load: what the first screen loads, gzipped (KB)',
    async measure({ page, server }, work) {
      const loaded: Promise<number>[] = []
      page.on('response', (response) => {
        if (/\/ui(?:\/assets\/.*)?$/.test(response.url()))
          loaded.push(response.body().then((body) => gzipSync(body).length))
      })
      await page.goto(`http://127.0.0.1:${server.port}/ui`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const sizes = await Promise.all(loaded)
      return atMostCount(work, sizes.reduce((sum, size) => sum + size, 0) / 1024, 250, `${sizes.length} files`)
    },
  },
])

const LEAVES = 5000
const PAN_STEPS = 40
const MAPS = '/api/v1/namespaces/bench/configmaps'

/** 5,000 ConfigMaps below one, all of them out of their group. */
async function openTree({ page, server }: Shown): Promise<void> {
  const url = `http://127.0.0.1:${server.port}`
  const create = async (name: string, owner?: object) => {
    const metadata = { name, ...(owner !== undefined && { ownerReferences: [owner] }) }
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata })
    const response = await fetch(url + MAPS, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    if (response.status !== 201) throw new Error(`${name}: ${await response.text()}`)
    return (await response.json()) as { metadata: { uid: string } }
  }
  const { metadata } = await create('top')
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'top', uid: metadata.uid }
  const names = Array.from({ length: LEAVES }, (_, at) => `leaf-${at}`)
  const work = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) await create(name, owner)
  }
  await Promise.all(Array.from({ length: 16 }, work))
  page.setDefaultTimeout(120_000)
  await page.goto(`${url}/ui/objects/-/v1/configmaps/bench/top?tab=tree`)
  await page.getByRole('button', { name: `${LEAVES} ConfigMap` }).click()
  await page.getByRole('link', { name: 'leaf-2500' }).waitFor()
  await page.getByRole('region', { name: /^Tree/ }).focus()
}

async function pan(page: Page): Promise<void> {
  for (let step = 0; step < PAN_STEPS; step++) {
    await page.keyboard.press(step % 2 === 0 ? 'ArrowDown' : 'ArrowUp')
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))')
  }
}

/** Runs in the page: when, since it was opened, the table had rows. */
const FIRST_ROW = `new Promise((resolve) => {
  const look = () => document.querySelector('.rows tbody tr[aria-rowindex]') ? resolve(performance.now()) : requestAnimationFrame(look)
  look()
})`

async function open(lab: Lab): Promise<Shown> {
  execFileSync(process.execPath, [join(import.meta.dirname, '../../packages/dashboard/page/build.ts')])
  const server = await lab.start(await lab.populatedDirectory())
  const started: Browser = await chromium.launch({ executablePath: BROWSER, args: ARGS, timeout: 120_000 })
  lab.keep({ ...server, stop: () => started.close() })
  const page = await started.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(`http://127.0.0.1:${server.port}${TABLE}`)
  await page.evaluate(FIRST_ROW)
  const browser = await page.context().newCDPSession(page)
  // The time of the page's thread: other programs of the machine do not count.
  await browser.send('Performance.enable', { timeDomain: 'threadTicks' })
  return { lab, server, page, browser }
}

async function complete({ page }: Shown): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const look = () => /10,?000 rows/.test(document.body.textContent) ? resolve() : setTimeout(look, 50)
    look()
  })`)
}

let changed = 0

/** Changes 1,000 objects in each second, others every time. Returns how many. */
async function changes({ lab, server, page }: Shown, seconds: number): Promise<number> {
  const ticks = (seconds * 1000) / TICK_MS
  const { port } = server
  for (let i = 0; i < ticks; i++) {
    const began = performance.now()
    const numbers = { first: changed, count: PER_TICK, cycle: OBJECTS }
    await lab.load.runAll({ port, connections: 10, status: 200, text: patchText(port), ...numbers })
    changed += PER_TICK
    await sleep(Math.max(0, TICK_MS - (performance.now() - began)))
  }
  // Two frames: what has arrived is on the screen.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
  return ticks * PER_TICK
}

async function metric(browser: CDPSession, name: string): Promise<number> {
  const { metrics } = await browser.send('Performance.getMetrics')
  return metrics.find((one) => one.name === name)?.value ?? Number.NaN
}

function scriptSeconds(browser: CDPSession): Promise<number> {
  return metric(browser, 'ScriptDuration')
}

async function heapMiB(browser: CDPSession): Promise<number> {
  await browser.send('HeapProfiler.collectGarbage')
  return (await metric(browser, 'JSHeapUsedSize')) / MIB
}
