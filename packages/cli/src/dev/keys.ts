// The keys of `dev`.

export type Command = 'restart' | 'apply' | 'clear' | 'help' | 'quit'

interface Key {
  readonly key: string
  readonly command: Command
  readonly help: string
}

export const keys: readonly Key[] = [
  { key: 'r', command: 'restart', help: 'restart the operator' },
  { key: 'a', command: 'apply', help: 'apply the examples' },
  { key: 'c', command: 'clear', help: 'clear the screen' },
  { key: 'h', command: 'help', help: 'show this help' },
  { key: 'q', command: 'quit', help: 'quit; the data stays' },
]

/** Ctrl-C and Ctrl-D, which are keys while a program reads them one by one. */
const QUIT = new Set(['\u0003', '\u0004'])

export function commandOf(key: string): Command | undefined {
  if (QUIT.has(key)) return 'quit'
  return keys.find((one) => one.key === key.toLowerCase())?.command
}
