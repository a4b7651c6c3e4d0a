// How a person is asked for what the command line does not say.

export interface Questions {
  /** `problemOf` says what is wrong with an answer; the question is then asked again. */
  text(question: string, initial: string, problemOf: (answer: string) => string | undefined): Promise<string>
  /** Answers one of the keys. The values describe them. */
  choose<C extends string>(question: string, choices: Readonly<Record<C, string>>, initial: C): Promise<C>
}
