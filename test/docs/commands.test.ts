// Every command of the documents works as printed: each page is typed into a shell of its own beside a fresh server.
// What cannot be typed here says why. docs/executors.md has a test of its own, which compares the answers too,
// and docs/your-own-project.md one on installed packages (test/packed/own-project.test.ts).

import { spawn } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { startServer } from '../server-process.ts'
import { blocks, root } from './blocks.ts'

/** Blocks and single lines that are not typed, and why. */
const NOT_TYPED: Readonly<Record<string, string>> = {
  'README.md bash 1': 'installs, starts and tests this repository: test/bootstrap.test.ts',
  'README.md bash 7': 'installs from npm: test/packed/create.test.ts',
  'README.md bash 8': 'the demo: packages/cli/src/verbs/demo.test.ts',
  'docs/dashboard.md bash 2': 'a server that runs until it is stopped: test/dashboard/cluster.test.ts',
  'docs/operating.md bash 1': 'mends a damaged store and starts a server: test/crash, test/up.test.ts',
  'docs/workloads.md bash 1': 'servers that run until they are stopped: test/workloads.test.ts, test/docker.test.ts',
  'examples/pipeline/README.md bash 1': 'a program that ends by itself: examples/pipeline/pipeline.test.ts',
  'examples/what-happened/README.md bash 1':
    'a program that ends by itself: examples/what-happened/what-happened.test.ts',
  'examples/colony-kinds/README.md bash 1':
    'a program that ends by itself: examples/colony-kinds/systems/story.test.ts',
  'examples/homelab/README.md bash 1': 'a program that ends by itself: examples/homelab/systems/story.test.ts',
  'examples/homelab/README.md bash 5': 'tests of this repository',
  'examples/my-resource/README.md bash 4': 'tests of this repository',
  'examples/request-state/README.md bash 2': 'two programs that wait for each other: examples/request-state/*.test.ts',
  'kubectl wait -n dev process/train-42 --for=condition=Complete': 'no executor takes it here',
  'homeostat rollback lamp desk --to 2':
    'the lamp of the page has one generation: packages/cli/src/verbs/history/history-verbs.test.ts',
  'source <(homeostat completion zsh)': 'another shell: packages/cli/test/completion.test.ts',
  'homeostat completion fish | source': 'another shell: packages/cli/test/completion.test.ts',
}
const ELSEWHERE = new Set(['docs/executors.md', 'docs/your-own-project.md', 'examples/executor-deployment/README.md'])

/** The words of the documents in this shell: the command and the examples run from this repository's sources. */
const SHELL = `set -euo pipefail
homeostat() { "$NODE" $FLAGS "$ROOT/packages/cli/src/main.ts" "$@"; }
npm() {
  shift; [ "$1" != --silent ] || shift
  if [ "$1" = homeostat ]; then homeostat "\${@:3}"; else example "\${@:3}"; fi
}
example() {
  "$NODE" $FLAGS "$ROOT/examples/$1/main.ts" "\${@:2}" > example.log 2>&1 &
  until grep -qE 'the (operator works|controllers work)' example.log; do kill -0 $! || { cat example.log; return 1; }; sleep 0.1; done
}
curl() {
  case " $* " in
    *" -N "*) command curl -sS --max-time 1 "$@" || [ $? = 28 ];;
    *) command curl -sS --fail-with-body "$@";;
  esac
}
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
`

/** The lines of a block that are typed. One that the page says is refused has to be. */
function typed(code: string): string {
  const lines = code.split('\n').map((line) => {
    const [command = ''] = line.split(/ +# /)
    if (NOT_TYPED[command.trim()] !== undefined) return ''
    return /# .*\brefused\b/.test(line) ? `if ${command}; then exit 1; fi` : line
  })
  return lines.join('\n')
}

const pages = Map.groupBy(
  blocks('bash').filter(({ id, page }) => !ELSEWHERE.has(page) && NOT_TYPED[id] === undefined),
  ({ page }) => page,
)

/** Much of the time goes into waiting. */
const AT_ONCE = 4

test('the commands of all pages work as printed', async () => {
  const [waiting, ended] = [[...pages.keys()], new Map<string, string>()]
  const lane = async () => {
    for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) ended.set(page, await typeIn(page))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  expect(Object.fromEntries(ended)).toEqual(Object.fromEntries([...pages.keys()].map((page) => [page, 'worked'])))
})

/** Answers `worked`, or all that was shown. */
async function typeIn(page: string): Promise<string> {
  const folder = temporaryFolder()
  symlinkSync(join(root, 'examples'), join(folder, 'examples'))
  mkdirSync(join(folder, 'backups'))
  mkdirSync(join(folder, '.kube'))
  symlinkSync('../.homeostat/kubeconfig', join(folder, '.kube/config'))
  const server = await startServer(join(folder, '.homeostat'), ['--with', join(root, 'examples/application')])
  const script = (pages.get(page) ?? [])
    .map(({ code }) => typed(code))
    .join('\n')
    .replaceAll(/http:\/\/(localhost|127\.0\.0\.1):3000/g, server.url)
    .replaceAll(/ \/(backups|new)\//g, ` ${folder}/$1/`)
  const { KUBECONFIG: _, ...env } = process.env
  const shell = spawn('bash', ['-c', SHELL + script], {
    cwd: folder,
    env: {
      ...env,
      HOME: folder,
      ROOT: root,
      NODE: process.execPath,
      FLAGS: '--conditions=homeostat-source --disable-warning=ExperimentalWarning',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise((resolve) => shell.on('close', resolve))
  const output = await Promise.all([text(shell.stdout), text(shell.stderr)])
  const worked = (await ended) === 0
  await server.stop()
  return worked ? 'worked' : output.join('\n')
}

test('what is not typed is still there', () => {
  const all = blocks('bash')
  const known = new Set([...all.map(({ id }) => id), ...all.flatMap(({ code }) => code.split(/\n| +# /))])
  expect(Object.keys(NOT_TYPED).filter((one) => !known.has(one))).toEqual([])
})
