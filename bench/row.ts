// Groups of rows that share servers. A group is set up only when one of its rows is selected.

import { type Finding, unmeasured } from './finding.ts'
import type { Lab } from './lab.ts'

export interface Row<Site> {
  readonly work: string
  measure(site: Site, work: string): Promise<Finding>
}

export interface Group {
  run(lab: Lab, wanted: (work: string) => boolean, found: (finding: Finding) => void): Promise<void>
}

export function group<Site>(open: (lab: Lab) => Promise<Site>, rows: readonly Row<Site>[]): Group {
  return {
    async run(lab, wanted, found) {
      const chosen = rows.filter((row) => wanted(row.work))
      if (chosen.length === 0) return
      const left = [...chosen]
      try {
        const site = await open(lab)
        for (const row of chosen) {
          found(await row.measure(site, row.work))
          left.shift()
        }
      } catch (error) {
        // A group that fails counts as missed; the other groups still run.
        console.error(error)
        for (const { work } of left) found(unmeasured(work))
      } finally {
        await lab.stopServers()
      }
    },
  }
}
