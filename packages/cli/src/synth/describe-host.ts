// Runs before the program of a project, in its process: sends what each `run()` was called with to the command, and ends
// the process soon after the last one. Nothing starts, so no server is needed.

import { type OperatorHost, type RunDescription, setOperatorHost } from '@homeostat/operator/host'

/** A program may call `run()` again; one that keeps a port or a timer open would never end by itself. */
const QUIET_MS = 300

class DescribeHost implements OperatorHost {
  #sending = 0
  #quiet: NodeJS.Timeout | undefined

  describe(description: RunDescription): void {
    this.#sending++
    process.send?.(description, undefined, undefined, () => {
      this.#sending--
    })
    this.#endLater()
  }

  #endLater(): void {
    clearTimeout(this.#quiet)
    this.#quiet = setTimeout(() => {
      if (this.#sending === 0) process.exit(0)
      this.#endLater()
    }, QUIET_MS).unref()
  }
}

setOperatorHost(new DescribeHost())
