// Takes the problems that known-problems.json lists out of what a check found. The list can only become shorter: what is on it
// and was not found is a problem, too.

/** What the problems are about, which is what they say before the colon, by the reason why they are still there. */
export type KnownProblems = Readonly<Record<string, readonly string[]>>

export function unknownProblems(problems: readonly string[], known: KnownProblems = {}): string[] {
  const listed = Object.values(known).flat()
  const found = new Set(problems.map(subjectOf))
  return [
    ...problems.filter((problem) => !listed.includes(subjectOf(problem))),
    ...listed
      .filter((subject) => !found.has(subject))
      .map((subject) => `${subject}: is fine now; take it off known-problems.json`),
  ]
}

function subjectOf(problem: string): string {
  return problem.slice(0, problem.indexOf(': '))
}
