// A process that starts others by a shell script and has a reaper; prints the reaper's pid, then what the script prints.

import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { startReaper } from '../src/reaper.ts'

const reaper = startReaper(200)
const isReaper = (pid: string) =>
  readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(Object.values(reaper.env)[0] ?? '')
const find = () => readdirSync('/proc').find((pid) => /^\d+$/.test(pid) && isOurs(pid) && isReaper(pid))
// Between fork and exec it has the command line of its parent.
let pid: string | undefined
while (pid === undefined) pid = find()
process.stdout.write(`${pid}\n`)
const env = { ...process.env, ...reaper.env }
spawn('sh', ['-c', process.argv[2] ?? ''], { env, detached: true, stdio: ['ignore', 'inherit', 'ignore'] })

function isOurs(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[1] === String(process.pid)
  } catch {
    return false
  }
}
