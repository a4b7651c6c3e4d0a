import { expect, test } from 'vitest'
import { takeBuiltins } from './builtin-imports.ts'

const CHUNK = './chunk.js'

test("Node's modules are taken by a call, on the same lines, and other imports stay", () => {
  const code = `#!/usr/bin/env node
import { a as b } from "${CHUNK}";
import { join, resolve as resolve$1 } from "node:path";
import * as fs from "node:fs";
const text = 'import { x } from "node:x";';
`
  expect(takeBuiltins(code)).toBe(`#!/usr/bin/env node
import { a as b } from "${CHUNK}";
const { join, resolve: resolve$1 } = process.getBuiltinModule("node:path");
import * as fs from "node:fs";
const text = 'import { x } from "node:x";';
`)
})

test('imports that go over lines, and those in single quotes, keep their lines; a text further down stays', () => {
  const code = `// A purpose.

import {
  a,
           b as c,
} from 'node:fs'
import './side-effect.ts'
import { d } from 'node:os'
const template = \`
import { e } from 'node:path'
\`
`
  expect(takeBuiltins(code)).toBe(`// A purpose.

const {
  a,
           b: c,
} = process.getBuiltinModule("node:fs");
import './side-effect.ts'
const { d } = process.getBuiltinModule("node:os");
const template = \`
import { e } from 'node:path'
\`
`)
})
