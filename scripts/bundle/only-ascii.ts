// A plugin of the bundler that escapes all characters beyond ASCII. V8 keeps a text with one such character as two bytes per
// character, all of it: a file of a megabyte takes two, and is decoded more slowly at each start.

import type { Plugin } from 'rolldown'

export function onlyAscii(): Plugin {
  return {
    name: 'only-ascii',
    // Not earlier: the bundler's own printer takes escapes away.
    generateBundle(_options, bundle) {
      for (const one of Object.values(bundle)) if (one.type === 'chunk') one.code = escapeBeyondAscii(one.code)
    },
  }
}

/** The same program: the escape is valid in strings, templates, regular expressions and names alike. */
export function escapeBeyondAscii(code: string): string {
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
