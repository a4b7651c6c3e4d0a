// Runs before the operator's program, in its process: tells `dev` which files are loaded and what the operator does, and
// ends the operator when `dev` says so or is gone. It must not import what the program itself may bring in another version.

import { flushCompileCache, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { type HostedRun, type OperatorHost, setOperatorHost } from '@homeostat/operator/host'
import { END_GRACE_MS, type FromOperator, type ToOperator } from './operator-messages.ts'

/** Those that are open, by their number. */
type Questions = Map<number, (isAllowed: boolean) => void>

function startHost(): void {
  const runs = new Set<HostedRun>()
  const questions: Questions = new Map()
  const rights = new Set<string>()
  let asked = 0
  const host: OperatorHost = {
    started(run) {
      runs.add(run)
      send({ type: 'started', run: run.description })
      run.ready.then(
        () => send({ type: 'works', run: run.description }),
        () => {},
      )
    },
    installed: (installed) => send({ type: 'installed', installed }),
    requested(request) {
      const { verb, group, resource, subresource } = request
      const right = [verb, group, resource, subresource].join(' ')
      if (rights.has(right)) return
      rights.add(right)
      send({ type: 'requested', request })
    },
    allowBreaking(definition, changes) {
      const question = ++asked
      send({ type: 'asks', question, definition, changes })
      // An answer is awaited even if nothing else keeps the program alive.
      process.channel?.ref()
      return new Promise((resolve) => questions.set(question, resolve))
    },
  }
  setOperatorHost(host)
  reportLoadedFiles()
  process.on('message', (message: ToOperator) => {
    if (message.type === 'end') return void end(runs, questions)
    questions.get(message.question)?.(true)
    questions.delete(message.question)
    if (questions.size === 0) process.channel?.unref()
  })
  process.once('disconnect', () => void end(runs, questions))
  // A program that ends by itself must not wait for messages.
  process.channel?.unref()
}

function send(message: FromOperator): void {
  // A channel that closes meanwhile is reported by the event `disconnect`.
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}

/** Ends the operators, then the program as a service manager would, so that its own handler of the signal runs. */
async function end(runs: ReadonlySet<HostedRun>, questions: Questions): Promise<void> {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), END_GRACE_MS).unref()
  const closing = [...runs].map((run) => run.close())
  // A run that waits for an answer cannot end.
  for (const answer of questions.values()) answer(false)
  await Promise.allSettled(closing)
  // Node itself does so only at an exit without a signal.
  flushCompileCache()
  // A real signal would come too late for a program that has nothing more to do.
  const isHandled = process.emit('SIGTERM', 'SIGTERM')
  if (!isHandled) process.kill(process.pid, 'SIGTERM')
}

/** Modules are reported when they are resolved, so that one with a mistake, or one that is missing, is known as well. */
function reportLoadedFiles(): void {
  const reported = new Set<string>()
  let files: string[] = []
  // In one message: those of a large program would fill the channel, and be lost if it fails while it loads.
  const flush = () => {
    if (files.length > 0) send({ type: 'loads', files })
    files = []
  }
  process.on('exit', flush)
  const report = (url: string) => {
    if (reported.has(url)) return
    reported.add(url)
    if (!url.startsWith('file:') || url.includes('/node_modules/')) return
    if (files.push(fileURLToPath(new URL(url))) === 1) setImmediate(flush)
  }
  registerHooks({
    resolve(specifier, context, next) {
      try {
        const found = next(specifier, context)
        report(found.url)
        return found
      } catch (error) {
        if (/^\.{0,2}\//.test(specifier) && context.parentURL !== undefined) {
          report(new URL(specifier, context.parentURL).href)
        }
        throw error
      }
    },
  })
}

startHost()
