// Formats the findings as a table, for the terminal and for docs/benchmarks.md.

import type { Finding } from './finding.ts'

const HEAD = ['work', 'ours', 'reference', 'time, ours', 'time, reference', 'result', 'bar', 'met']

export function cells(finding: Finding): string[] {
  const { work, ours, reference, oursTime, referenceTime, result, bar, met } = finding
  return [work, ours, reference, oursTime, referenceTime, result, bar, met ? 'yes' : '**NO**']
}

/** A Markdown table with aligned columns, so that it is readable as plain text, too. */
export function table(findings: readonly Finding[]): string {
  const rows = [HEAD, ...findings.map(cells)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  const [head, ...body] = rows.map(line)
  return [head, rule, ...body].join('\n')
}

export function document(findings: readonly Finding[], facts: readonly string[]): string {
  return `# Benchmarks

Written by \`npm run bench\`, which fails when a bar is missed. Absolute figures belong to the machine; the bars are ratios
from one run wherever they can be.

- CPU is what all threads of the server's process used per operation, user and system, also after its last answer. Ours and
  the reference run in turns, in short slices; after a warm-up there are three rounds, a round counts by its median slice, and
  the best round of each side is taken. Time is per operation over all connections, with percentiles of single answers; it is
  judged only where the bar is one on time (readiness, and the p99 of a watch).
- The reference is a minimal \`node:http\` server (\`bench/bare\`) that does only the named thing. Reads send ready bytes from one
  buffer. Writes parse, add a uid, stringify, and commit one SQLite transaction per tick with the same durability (WAL,
  \`synchronous=FULL\`), without validation. Watch writes one ready event to each of 1,000 sockets.
- Objects are 1.3 KB custom resources with a structural schema (\`bench/items\`). A merge patch sends a whole object with one
  field changed. A load generator in a process of its own sends one request at a time on each connection and checks every
  status.
- For 50 changes together, the changes are 50 concurrent patches; what the same patches cost a second server without watchers
  in the same slice is subtracted. The reference is the bare server writing one event at a time.
- With 1 % changed, every list comes after a change of 100 objects spread over all names, so that no two lists share its work,
  and after 100 ms in which the 64 connections that made the change are closed.
- Memory at 64 connections is the peak over a freshly started server that has not listed yet. Resident sizes at rest are medians
  of three starts. Readiness and resident sizes are those of the bundle, unless a row says otherwise; other rows run the sources.
- Informers are compared with those of \`@kubernetes/client-node\` 2.0.1 on custom objects of 4.5 KB, managed fields included.
  Each has a process of its own, started anew for every measurement, and they take turns; figures are medians of five.
- A process of the colony's queue is submitted in one request; an executor closes its last one and takes the next in one
  request. The load generator is all 50 executors: it submits 1,000, then takes and closes them, and so on to 20,000; 10,000
  before that warm both servers up. The bare server (\`bench/bare/colony.ts\`) gets the same requests and writes the same three
  states of each process, the last two in one transaction; it has one queue, first in, first out, and checks nothing. For an
  idle executor, processes are submitted one at a time while 50 long polls wait; each is closed before the next.
- Other queues are compared as their users have them: 50 workers wait in one process, which adds jobs that do nothing one by
  one from 50 places; time runs until the last is known to be done. Ours are 50 executors of the SDK. graphile-worker 0.18.0 has
  no batching switched on and PostgreSQL is as it comes; BullMQ 6.7.0 has a Redis with \`appendfsync always\`. A row is left out
  where the programs are not installed. What ColonyOS published was measured on other hardware.
- Over TLS, requests come from a service account with a token and a role for the items; plain HTTP beside it is the administrator's. The
  bare server speaks TLS with the same kind of key. An idle watch over HTTP/1.1 is judged against a bare \`node:https\`, which takes
  70 MiB and more for 1,000 connections itself.
- Pages and Tables are asked for once each, so that nothing remembered helps.

${facts.map((fact) => `- ${fact}`).join('\n')}

${table(findings)}
`
}
