import { expect, test } from 'vitest'
import { flushLeft } from './without-indentation.ts'

test('indentation goes, lines stay', () => {
  expect(flushLeft('if (a) {\n\tb()\n\t\tc()\n}\n')).toBe('if (a) {\nb()\nc()\n}\n')
})

test('a template keeps its text, also behind an expression and inside of another one', () => {
  const template = `\`\n\tone \${a(\`\n\t\ttwo\`)}\n\tthree\n\t\``
  expect(flushLeft(`\tconst text = ${template}\n\tb()\n`)).toBe(`\tconst text = ${template}\nb()\n`)
})

test('code within an expression of a template is code', () => {
  expect(flushLeft(`\`a\${[\n\t1,\n].map(b)}\n\tc\``)).toBe(`\`a\${[\n1,\n].map(b)}\n\tc\``)
})
