import { expect, test } from 'vitest'
import { finishDeclarations } from './finish-declarations.ts'

test('declarations import declarations, in every way that tsc writes', () => {
  const declarations = [
    "import type { A } from './a.ts';",
    "export * from '../b.ts';",
    "import './c.ts';",
    'export declare const d: import("./deep/d.ts").D;',
  ].join('\n')
  expect(finishDeclarations(declarations, 'x.d.ts')).toBe(declarations.replaceAll('.ts', '.js'))
})

test('a source that would be left over is refused, one in a comment is not', () => {
  expect(() => finishDeclarations("declare module './a.ts' {}", 'x.d.ts')).toThrow('x.d.ts names the source ./a.ts')
  const shown = "/**\n * Such as './a.ts'.\n */\nexport declare const a = 1;"
  expect(finishDeclarations(shown, 'x.d.ts')).toBe(shown)
})

test('declarations are indented by tabs, comments too', () => {
  const code = 'interface A {\n    /**\n     * Text    with space.\n     */\n    b: {\n        c: 1;\n    };\n}\n'
  expect(finishDeclarations(code, 'x.d.ts')).toBe(
    'interface A {\n\t/**\n\t * Text    with space.\n\t */\n\tb: {\n\t\tc: 1;\n\t};\n}\n',
  )
})
