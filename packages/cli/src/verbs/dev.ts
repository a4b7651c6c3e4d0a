// `homeostat dev`: a server, the operator of a project and its examples in one terminal. The operator restarts on save, the
// data stays.

import manifest from '../../package.json' with { type: 'json' }
import { banner } from '../dev/banner.ts'
import { connectToCluster, startOwnServer } from '../dev/dev-server.ts'
import { readLogLine } from '../dev/log-entry.ts'
import { Screen } from '../dev/screen.ts'
import { Session } from '../dev/session.ts'
import { usageFault } from '../fault.ts'
import type { devVerbOptions } from '../options/option-groups.ts'
import type { Values } from '../options/option-table.ts'
import { readProject } from '../project/read-project.ts'
import type { Terminal } from '../terminal.ts'
import { atMostOne } from './operands.ts'

type DevValues = Values<(typeof devVerbOptions)[number]>

export async function dev(values: DevValues, operands: readonly string[], terminal: Terminal): Promise<number> {
  const entry = atMostOne(operands)
  const cwd = process.cwd()
  const read = () => readProject(cwd, entry)
  const project = read()
  const { 'dev-kubeconfig': kubeconfig, port } = values
  if (kubeconfig !== undefined && values.clean) {
    throw usageFault('--clean is for the data of a server that dev starts, not for a cluster')
  }
  const ending = terminal.ending?.() ?? new Promise<never>(() => {})
  const screen = new Screen(terminal)
  const server =
    kubeconfig === undefined
      ? await startOwnServer({
          ...values,
          folder: project.state,
          env: terminal.env,
          onLog: (line) => logged(screen, line),
        })
      : await connectToCluster(kubeconfig)
  try {
    screen.block(
      banner({ version: manifest.version, project, server, port, isAttended: terminal.keys !== undefined, cwd }),
    )
    const session = new Session({
      project,
      readProject: read,
      server,
      screen,
      terminal,
      logLevel: values['log-level'],
      allowBreaking: values['allow-breaking'],
      apply: values.apply,
    })
    const stopKeys = terminal.keys?.((key) => session.key(key))
    // A second signal ends this process at once, and the operator with it.
    const kill = () => session.kill()
    process.once('exit', kill)
    const reason = await Promise.race([
      ending.then(() => 'asked' as const),
      session.quit.then(() => 'asked' as const),
      server.done.then(() => 'failed' as const),
    ])
    stopKeys?.()
    await session.close()
    process.off('exit', kill)
    return reason === 'asked' ? 0 : 1
  } finally {
    await server.close()
  }
}

function logged(screen: Screen, line: string): void {
  const entry = readLogLine(line.trimEnd())
  if (entry !== undefined)
    screen.say({ text: entry.message, tone: entry.level === 'error' ? 'bad' : 'busy', aside: 'server' })
}
