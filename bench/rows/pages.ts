// Parts of a collection of 10,000: a page, a Table, and a selector that matches nothing. The bars are CPU per request.

import { atMostCpu } from '../finding.ts'
import { COLLECTION } from '../items/item.ts'
import { getText } from '../items/request-text.ts'
import type { Lab } from '../lab.ts'
import { alone, byCpu, type Cost, measureLoad } from '../measure.ts'
import { group } from '../row.ts'
import type { Server } from '../servers/server.ts'

const PAGE = 500
const PAGES_PER_ROUND = 5
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'

export const pages = group(open, [
  {
    work: 'page of 500 of 10,000 objects',
    measure: async (site, work) => atMostCpu(work, await eachPageOnce(site), 15),
  },
  {
    work: 'Table of 500 rows',
    measure: async (site, work) => atMostCpu(work, await eachPageOnce(site, TABLE), 25),
  },
  {
    work: 'label selector over 10,000 objects without a match',
    async measure({ lab, ours }, work) {
      const path = `${COLLECTION}?labelSelector=tier%3Dnone-{n}`
      const plan = { connections: 1, count: lab.count(10), status: 200, text: getText(ours.port, path) }
      // Another value every time, so that no remembered answer helps.
      let first = 0
      const cost = await alone(byCpu, () => {
        first += plan.count
        return measureLoad(lab.load, ours, { ...plan, first })
      })
      return atMostCpu(work, cost, 5)
    },
  },
])

async function open(lab: Lab) {
  const ours = await lab.start(await lab.populatedDirectory())
  return { lab, ours, paths: await pagePaths(ours) }
}

interface Site {
  readonly lab: Lab
  readonly ours: Server
  readonly paths: readonly string[]
}

/** Each page is asked for once, so that no remembered row helps. The twenty pages are the slices of all rounds. */
function eachPageOnce({ lab, ours, paths }: Site, accept?: string): Promise<Cost> {
  const left = [...paths]
  const ask = () => {
    const text = getText(ours.port, left.shift() ?? '', accept)
    return measureLoad(lab.load, ours, { connections: 1, count: 1, status: 200, text })
  }
  return alone(byCpu, ask, PAGES_PER_ROUND)
}

/** The paths of all pages, with their continue tokens. */
async function pagePaths({ port }: Server): Promise<string[]> {
  const first = `${COLLECTION}?limit=${PAGE}`
  const paths = [first]
  for (let path = first; ; ) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    const { metadata } = (await response.json()) as { metadata: { continue?: string } }
    if (metadata.continue === undefined || metadata.continue === '') return paths
    path = `${first}&continue=${encodeURIComponent(metadata.continue)}`
    paths.push(path)
  }
}
