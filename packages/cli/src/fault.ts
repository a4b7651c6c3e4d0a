// An error a person can act on: it is shown as one line without a stack, and the command ends with its exit code.
// Anything else that is thrown is a defect and shows its stack.

export class Fault extends Error {
  override readonly name = 'Fault'
  readonly exitCode: number

  constructor(message: string, options: { exitCode?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.exitCode = options.exitCode ?? 1
  }
}

/** The command line or the environment is wrong. */
export function usageFault(message: string): Fault {
  return new Fault(message, { exitCode: 2 })
}

/** The `code` of a system error such as EADDRINUSE, wherever it was wrapped. */
export function systemCode(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code
  }
  return undefined
}
