// Reads the declaration files that tsc writes. The API report is made of them. Like imports-of.ts it knows the shapes that
// formatted text has and is no parser: a statement begins at the start of a line.

export interface Declarations {
  /** Statements by the name they declare, without `export` and `declare`; a name may have several. */
  readonly declared: ReadonlyMap<string, readonly string[]>
  /** Names that come from other modules, as these export them, by the name they have here. */
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

/** Comments for readers stand on lines of their own; private members are nobody's business. */
function withoutComments(source: string): string {
  return source.replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '').replace(/^ +(?:#private|private [^\n]*);\n/gm, '')
}
