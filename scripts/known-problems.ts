// Removes the problems that known-problems.json lists from the result of a check. The list can only shrink: an entry
// that the check no longer finds is a problem, too.

/** The subjects of problems (their text before the colon) by the reason why they are not mended yet. */
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
