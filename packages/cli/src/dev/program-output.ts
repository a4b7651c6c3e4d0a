// Makes a line that the operator's program printed readable: paths relative to the project, no frames inside Node. Pure.

import { pathToFileURL } from 'node:url'

/** Undefined for a line that says nothing to the author of the program. */
export function programLine(line: string, folder: string): string | undefined {
  if (/^\s+at .*\(?node:/.test(line) || /^Node\.js v\d/.test(line)) return undefined
  return line.replaceAll(`${pathToFileURL(folder).href}/`, '').replaceAll(`${folder}/`, '')
}

/** The frames of a stack that lie in the project; those of packages say where the mistake came to light, not where it is. */
export function projectFrames(stack: string, folder: string): string[] {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  const own = frames.filter((line) => line.includes(folder) && !line.includes('/node_modules/'))
  const shown = own.length > 0 ? own : frames.slice(0, 3)
  return shown.flatMap((line) => programLine(line.trim(), folder) ?? [])
}
