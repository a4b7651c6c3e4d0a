// The lines of a stream, such as a watch or the output of a program, each as soon as it is whole. Tests of all packages read by it.

/** Without their ends. What follows the last end is no line and is dropped. */
export async function* linesOf(
  stream: AsyncIterable<Uint8Array | string>,
  end = '\n',
): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    const lines = rest.split(end)
    rest = lines.pop() ?? ''
    yield* lines
  }
}
