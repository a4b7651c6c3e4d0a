// Reads the declaration files that tsc writes, for the API report. Like imports-of.ts it is not a parser: it relies on
// the formatting, in which a statement begins at the start of a line.

export interface Declarations {
  /** Statements by the name that they declare, without `export` and `declare`; overloads have several. */
  readonly declared: ReadonlyMap<string, readonly string[]>
  /** Imported and re-exported names: the name in the other module by the name here. */
  readonly others: ReadonlyMap<string, Origin>
}

interface Origin {
  readonly from: string
  readonly name: string
}

const HEAD = /^(?:export )?(?:declare )?((?:abstract )?(?:const|let|function|class|interface|type) ([\w$]+)[\s\S]*)/
const LIST = /^(?:import|export) (?:type )?\{([^}]*)\} from '([^']+)'/

export function readDeclarations(source: string): Declarations {
  const declared = new Map<string, string[]>()
  const others = new Map<string, Origin>()
  for (const statement of statementsOf(withoutComments(source))) {
    const [, text = '', name = ''] = HEAD.exec(statement) ?? []
    if (name !== '') declared.set(name, [...(declared.get(name) ?? []), text])
    const [, list = '', from = ''] = LIST.exec(statement) ?? []
    for (const item of list.split(',').filter((one) => one.trim() !== '')) {
      const [there = '', here = there] = item
        .trim()
        .replace(/^type /, '')
        .split(' as ')
      others.set(here, { from, name: there })
    }
  }
  return { declared, others }
}

function statementsOf(source: string): string[] {
  return source.split(/\n(?=[a-z@])/).map((statement) => statement.trimEnd())
}

/** Removes doc comments, which are on their own lines, and private members. */
function withoutComments(source: string): string {
  return source.replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '').replace(/^ +(?:#private|private [^\n]*);\n/gm, '')
}
