// The commands of docs/your-own-project.md, typed as printed into a shell that has nothing but Node and npm: create, dev, test,
// synth, and an apply of what synth wrote.

import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { blocks } from '../docs/blocks.ts'
import { type PackedProject, packedProject } from './packed-project.ts'

const PAGE = 'docs/your-own-project.md'

/** What a person does between the commands: dev has a terminal of its own, where the key `a` is pressed, and is watched. */
const SHELL = `set -euo pipefail
npm() { if [ "$*" = 'run dev' ]; then dev; else command npm "$@"; fi; }
dev() {
  command npm run dev -- --apply --port 0 > ../dev.log 2>&1 & DEV=$!
  until grep -q 'the examples were applied' ../dev.log; do kill -0 $DEV || { cat ../dev.log; return 1; }; sleep 0.2; done
}
# No cluster and no engine is here: the server of dev gets what a cluster would.
kubectl() { npx homeostat "$@"; }
docker() { test -f Dockerfile; }
# Of all that this shell has started, also of what runs and of what has ended; the operator has a session of its own.
cpu_ticks() {
  local file line fields sum=0
  for file in /proc/[0-9]*/stat; do
    line=$(cat $file 2>/dev/null) || continue
    fields=(\${line##*) })
    [ "\${fields[3]}" != $$ ] || sum=$((sum + fields[11] + fields[12] + fields[13] + fields[14]))
  done
  echo "cpu ticks: $sum of $(getconf CLK_TCK)"
}
`
const READY = 'npx homeostat wait website/hello --for=condition=Ready --timeout=10m'
/** Ends dev, to which npm passes no signal on. */
const END = "trap '' TERM; kill -TERM 0; wait $DEV || true"
/** A minute, in processor time: a busy machine changes nothing about it. */
const MOST_CPU_SECONDS = 60

const [create = '', dev = '', get = '', ...rest] = blocks('bash')
  .filter(({ page }) => page === PAGE)
  .map(({ code }) => code)

test.each(['oldest', 'newest'] as const)('every command of the page works, on the %s Node', async (node) => {
  using project = await packedProject({ node })
  const commands = `${create}${dev}${get}`.trim().split('\n')
  expect(commands.length).toBeLessThanOrEqual(5)
  const printed = await typed(project, [SHELL, create, dev, get, READY, 'cpu_ticks', ...rest, END].join('\n'))
  expect(printed).toMatch(
    /website\.example\.com\/hello condition met\n[\s\S]*created deploy\/rbac\.yaml[\s\S]*deployment\.apps\/my-operator created\n/,
  )
  const [, ticks, perSecond] = /cpu ticks: (\d+) of (\d+)/.exec(printed) ?? []
  expect(Number(ticks) / Number(perSecond)).toBeLessThan(MOST_CPU_SECONDS)
  expect(Number(ticks)).toBeGreaterThan(0)
})

/** Everything that was printed; throws it unless all commands worked. */
async function typed(project: PackedProject, script: string): Promise<string> {
  // Not run(): dev ends with the project, whatever happens.
  const shell = project.spawn('bash', ['-c', `exec 2>&1\n${script}`])
  if (shell.stdout === null) throw new Error('the shell has no output')
  const [printed, [code]] = await Promise.all([text(shell.stdout), once(shell, 'close')])
  if (code !== 0) throw new Error(printed)
  return printed
}
