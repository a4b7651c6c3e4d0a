// JSON for log lines. Logs call it. It never throws, whatever a field holds.

/**
 * Writes big integers as text, errors with their fields and causes, and `[Circular]` where a value contains itself. Undefined when
 * a toJSON or a getter of the value throws.
 */
export function safeJson(value: unknown): string | undefined {
  /** The objects around the value that is looked at, outermost first, and what is written for each. */
  const around: { readonly value: object; readonly shown: object }[] = []
  const replacer = function (this: unknown, _key: string, part: unknown): unknown {
    if (typeof part === 'bigint') return String(part)
    if (typeof part !== 'object' || part === null) return part
    while (around.length > 0 && around.at(-1)?.shown !== this) around.pop()
    if (around.some((one) => one.value === part)) return '[Circular]'
    const shown = part instanceof Error ? errorFields(part) : part
    around.push({ value: part, shown })
    return shown
  }
  try {
    return JSON.stringify(value, replacer)
  } catch {
    return undefined
  }
}

function errorFields(error: Error): object {
  const { cause: _, ...fields } = { ...error, type: error.constructor.name }
  const chain = withCauses(error)
  return {
    ...fields,
    message: chain.map(({ message }) => message).join(': '),
    stack: chain.map(({ stack }) => stack).join('\ncaused by: '),
  }
}

function withCauses(error: Error): Error[] {
  const chain = [error]
  for (let { cause } = error; cause instanceof Error && !chain.includes(cause); { cause } = cause) chain.push(cause)
  return chain
}
