// Why no project is written: one line for a person, which says what to do. Whoever calls this package shows it without a stack.

export class Refusal extends Error {
  override readonly name = 'Refusal'
}
