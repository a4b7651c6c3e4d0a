// The directive of a simulated unit, in the variable HOMEOSTAT_SIMULATE of its environment:
//   exit:CODE         ends with that code at once          exit:CODE:MS   after so many milliseconds
//   fail:MESSAGE      cannot be started                    stubborn       runs until its grace period is over
//   run               runs until it is stopped
// Without it a unit with `endsByItself` ends after a moment, and any other runs until it is stopped. Pure.

export type Directive =
  | { readonly act: 'run' }
  | { readonly act: 'exit'; readonly code: number; readonly afterMs: number }
  | { readonly act: 'fail'; readonly message: string }
  | { readonly act: 'stubborn' }

export const DIRECTIVE_VARIABLE = 'HOMEOSTAT_SIMULATE'

/** `otherwise` is the behaviour without a directive. */
export function parseDirective(text: string | undefined, otherwise: Directive = { act: 'run' }): Directive {
  if (text === undefined || text === '') return otherwise
  if (text === 'run') return { act: 'run' }
  if (text === 'stubborn') return { act: 'stubborn' }
  const exit = /^exit:(\d{1,3})(?::(\d{1,9}))?$/.exec(text)
  if (exit && Number(exit[1]) <= 255) return { act: 'exit', code: Number(exit[1]), afterMs: Number(exit[2] ?? 0) }
  const fail = /^fail(?::(.*))?$/s.exec(text)
  if (fail) return { act: 'fail', message: fail[1] || 'told to fail' }
  throw new Error(
    `${DIRECTIVE_VARIABLE}=${text} is not known: use exit:CODE, exit:CODE:MS, fail:MESSAGE, run or stubborn, or leave it out`,
  )
}
