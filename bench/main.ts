// `npm run bench [-- --only REGEX] [--quick] [--against FOLDER]`: measures every row, prints the table, and exits with 1 when a bar is
// missed. A full run writes its table to docs/benchmarks.md.

import { writeFileSync } from 'node:fs'
import { compareWith } from './against/against.ts'
import { curves } from './curves/curves.ts'
import type { Finding } from './finding.ts'
import { Lab } from './lab.ts'
import { machineFacts } from './machine.ts'
import { readOptions } from './options.ts'
import { cells, document, table } from './report.ts'
import { cel } from './rows/cel.ts'
import { colony } from './rows/colony.ts'
import { dashboard } from './rows/dashboard.ts'
import { etcd } from './rows/etcd.ts'
import { failover } from './rows/failover.ts'
import { get } from './rows/get.ts'
import { graphs } from './rows/graphs.ts'
import { growth } from './rows/growth.ts'
import { informers } from './rows/informers.ts'
import { list } from './rows/list.ts'
import { pages } from './rows/pages.ts'
import { reconcile } from './rows/reconcile.ts'
import { rivals } from './rows/rivals.ts'
import { rules } from './rows/rules.ts'
import { schedules } from './rows/schedules.ts'
import { start } from './rows/start.ts'
import { tls } from './rows/tls.ts'
import { tlsWatches } from './rows/tls-watches.ts'
import { watch } from './rows/watch.ts'
import { writes } from './rows/writes.ts'

const { only, quick, against, curves: limits } = readOptions(process.argv.slice(2))
const facts = machineFacts()
const lab = new Lab({ quick })
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void lab.close().then(() => process.exit(1)))

const wanted = (work: string) => only === undefined || only.test(work)
if (against !== undefined) {
  const fine = await compareWith(against, lab, wanted).finally(() => lab.close())
  process.exit(fine ? 0 : 1)
}

if (limits !== undefined) {
  await curves(lab, limits).finally(() => lab.close())
  process.exit()
}

const findings: Finding[] = []
try {
  for (const group of [
    get,
    list,
    pages,
    writes,
    rules,
    watch,
    tls,
    tlsWatches,
    informers,
    start,
    growth,
    cel,
    reconcile,
    colony,
    graphs,
    schedules,
    etcd,
    failover,
    dashboard,
    rivals,
  ]) {
    await group.run(lab, wanted, (finding) => {
      findings.push(finding)
      console.log(cells(finding).filter(Boolean).join(' · '))
    })
  }
} finally {
  await lab.close()
}

if (findings.length === 0) console.log(`no row matches ${only}`)
else console.log(`\n${facts.join('\n')}\n\n${table(findings)}`)
if (only === undefined && !quick) {
  writeFileSync(new URL('../docs/benchmarks.md', import.meta.url), document(findings, facts))
}
process.exitCode = findings.length > 0 && findings.every((finding) => finding.met) ? 0 : 1
