// The scripts of `homeostat completion` in the shells they are for. A shell that is not on this machine is skipped.

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CommandTest, commandTest } from './command.fixture.ts'

let command: CommandTest
beforeAll(async () => {
  command = await commandTest()
  const processes = command.client.resource('colonies.io/v1', 'Process')
  const spec = { funcName: 'f', conditions: { executorType: 'nobody' } }
  for (const name of ['first', 'second']) {
    await processes.create({ metadata: { name, namespace: 'dev' }, spec } as object)
  }
  for (const shell of ['bash', 'zsh', 'fish']) {
    writeFileSync(join(command.folder, `completion.${shell}`), (await command.homeostat(['completion', shell])).out)
  }
})
afterAll(() => command[Symbol.asyncDispose]())

function isThere(shell: string): boolean {
  try {
    execFileSync(shell, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    if (process.env.HOMEOSTAT_NO_SKIP === '1') throw new Error(`${shell} is needed for the tests of its completion`)
    console.log(`skipped: completion in ${shell}, since ${shell} is not on the PATH`)
    return false
  }
}

/** What the shell offers for the last of the words. */
async function offered(shell: string, words: readonly string[]): Promise<string[]> {
  const quoted = words.map((word) => `'${word}'`).join(' ')
  const scripts: Readonly<Record<string, string>> = {
    bash: `source ./completion.bash
      COMP_WORDS=(homeostat ${quoted}); COMP_CWORD=${words.length}; _homeostat; printf '%s\\n' "\${COMPREPLY[@]}"`,
    zsh: `compdef() { : }; compadd() { shift; print -l -- "$@" }; _files() { print -- files }
      source ./completion.zsh; words=(homeostat ${quoted}); CURRENT=${words.length + 1}; _homeostat`,
    fish: `source ./completion.fish; complete -C '${['homeostat', ...words].join(' ')}'`,
  }
  const { out } = await command.run(shell, ['-c', scripts[shell] ?? ''])
  return out.split('\n').filter((line) => line !== '')
}

describe.each(['bash', 'zsh', 'fish'])('%s', (shell) => {
  const missing = !isThere(shell)
  test.skipIf(missing)('the script parses', async () => {
    const { code, error } = await command.run(shell, ['-n', join(command.folder, `completion.${shell}`)])
    expect({ code, error }).toEqual({ code: 0, error: '' })
  })

  test.skipIf(missing)('verbs, their options and values, and names on the server are offered', async () => {
    expect((await offered(shell, ['res'])).toSorted()).toEqual(['resource', 'restore'])
    expect(await offered(shell, ['crd', 'list', '--s'])).toEqual(['--selector', '--server'])
    expect(await offered(shell, ['process', 'wait', '-n', 'dev', ''])).toEqual(['first', 'second'])
    expect((await offered(shell, ['crd', 'create', '-f', 'completion.b'])).join()).toMatch(/completion\.bash|files/)
    expect(await offered(shell, ['fly', ''])).toEqual([])
  })
})
