// Makes what the operator's program prints readable: paths relative to the project, and without the parts of Node and of
// `dev` itself around a mistake.

import { pathToFileURL } from 'node:url'

/** Node prints its own source around an error that it throws: a place, a line, a mark, an empty line. */
const NODE_SOURCE = /^node:\S+:\d+$/
/** A frame inside Node, or of the module that runs before the program. */
const FOREIGN_FRAME = /^\s+at (?:.*\()?(?:node:|.*operator-host\.[jt]s:\d)/

/** Reads the lines of one process in their order. */
export class ProgramOutput {
  readonly #folder: string
  #isInNodeSource = false

  /** The folder of the project. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Undefined for a line that says nothing to the author of the program. */
  line(line: string): string | undefined {
    if (this.#isInNodeSource || NODE_SOURCE.test(line)) {
      this.#isInNodeSource = line !== ''
      return undefined
    }
    if (/^Node\.js v\d/.test(line)) return undefined
    if (!FOREIGN_FRAME.test(line)) return relativePaths(line, this.#folder)
    // The fields of the error follow the last frame.
    return line.endsWith('{') ? '    {' : undefined
  }
}

/** The frames of a stack that lie in the project; those of packages say where the mistake came to light, not where it is. */
export function projectFrames(stack: string, folder: string): string[] {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line) && !FOREIGN_FRAME.test(line))
  const own = frames.filter((line) => line.includes(folder) && !line.includes('/node_modules/'))
  return (own.length > 0 ? own : frames.slice(0, 3)).map((line) => relativePaths(line.trim(), folder))
}

function relativePaths(line: string, folder: string): string {
  return line.replaceAll(`${pathToFileURL(folder).href}/`, '').replaceAll(`${folder}/`, '')
}
