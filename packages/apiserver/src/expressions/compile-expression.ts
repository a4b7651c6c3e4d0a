// Compiles one expression of a policy or a webhook and holds it to the types that its place allows. The messages are those of
// kube-apiserver.

import type { CelEnvironment, CelProgram, CelType } from '@homeostat/cel/without-compiler'

export type CompiledExpression =
  | { readonly program: CelProgram; readonly problem?: undefined }
  | { readonly program?: undefined; readonly problem: string }

/** What the place allows the value to be. */
export type Result = 'bool' | 'string' | 'text or null' | 'any'

export function compileExpression(environment: CelEnvironment, text: string, result: Result): CompiledExpression {
  const { program, issues } = environment.compile(text)
  if (issues !== undefined) return { problem: `compilation failed: ${issues.text}` }
  const problem = wrongType(result, program.resultType)
  return problem === undefined ? { program } : { problem }
}

function wrongType(result: Result, type: CelType): string | undefined {
  const { kind } = type
  if (result === 'any' || kind === result) return undefined
  if (result !== 'text or null') return `must evaluate to ${result} but got ${typeText(type)}`
  if (kind === 'string' || kind === 'null') return undefined
  return `must evaluate to one of [string null_type] but got ${typeText(type)}`
}

function typeText({ name, parameters }: CelType): string {
  return parameters.length === 0 ? name : `${name}(${parameters.map(typeText).join(', ')})`
}
