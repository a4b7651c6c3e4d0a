// A server with a colony for tests of the verbs, and the command with a fake terminal.

import { ManualClock } from '@homeostat/base'
import { type ExecutorFunction, executor } from '@homeostat/executor'
import { testColony } from '@homeostat/testing/colony'
import { type FakeTerminal, fakeTerminal, runOn, type Shown } from '../terminal.fixture.ts'
import type { Terminal } from '../terminal.ts'

export interface TestCommand extends AsyncDisposable {
  readonly url: string
  readonly client: Awaited<ReturnType<typeof testColony>>['client']
  /** Runs the command without a terminal. */
  homeostat(...argv: string[]): Promise<Shown>
  /** The same with a file on standard input. */
  withInput(input: unknown, ...argv: string[]): Promise<Shown>
  /** Runs a command with `--timeout`, which expires as soon as the progress line shows this text. */
  timedOut(waitsFor: RegExp, ...argv: string[]): Promise<Shown>
  /** A terminal connected to this server, for commands that do not end by themselves. */
  terminal(parts?: Partial<Omit<Terminal, 'out' | 'error'>>): FakeTerminal
  /** An executor that runs until the end of the test. */
  executor(colony: string, type: string, functions: Readonly<Record<string, ExecutorFunction>>): Promise<void>
}

export async function testCommand(): Promise<TestCommand> {
  const colony = await testColony({ listen: true })
  const { url = '', client } = colony
  const executors: AsyncDisposable[] = []
  const terminal: TestCommand['terminal'] = (parts = {}) =>
    fakeTerminal({ ...parts, env: { HOMEOSTAT_SERVER: url, ...parts.env } })
  return {
    url,
    client,
    terminal,
    homeostat: (...argv) => runOn(terminal(), argv),
    withInput: (input, ...argv) => {
      const text = typeof input === 'string' ? input : JSON.stringify(input)
      return runOn(terminal({ input: async () => text }), argv)
    },
    async timedOut(waitsFor, ...argv) {
      const clock = new ManualClock(0)
      const one = terminal({ errorColumns: 300, clock })
      const running = runOn(one, argv)
      await Promise.race([one.until(waitsFor), running])
      clock.advance(3_600_000)
      const { error, ...shown } = await running
      // Removes the progress line.
      return { ...shown, error: error.slice(error.lastIndexOf('\x1b[K') + '\x1b[K'.length) }
    },
    async executor(colony, type, functions) {
      const running = executor({ type, functions, colony, client, drain: '0s', concurrency: 4 })
      executors.push(running)
      await running.ready
    },
    async [Symbol.asyncDispose]() {
      for (const running of executors) await running[Symbol.asyncDispose]()
      await colony.close()
    },
  }
}

/** A definition of Kubernetes' own kind with a handler. */
export function handledDefinition(
  kind: string,
  group: string,
  handler?: { executorType: string; functionName: string },
) {
  const singular = kind.toLowerCase()
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${singular}s.${group}`,
      annotations: {
        'homeostat.dev/create-namespaces': 'true',
        ...(handler && { 'colonies.io/handler': JSON.stringify(handler) }),
      },
    },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural: `${singular}s`, singular, listKind: `${kind}List`, shortNames: [singular.slice(0, 2)] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  }
}
