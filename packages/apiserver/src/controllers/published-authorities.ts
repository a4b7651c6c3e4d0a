// Tells the controllers when clients are to verify the server by other certificates, as during a rotation of its authority.

export class PublishedAuthorities {
  readonly #followers: ((caBundle: string) => void)[] = []
  #newest: string | undefined

  /** `caBundle` is PEM. */
  publish(caBundle: string): void {
    this.#newest = caBundle
    for (const use of this.#followers) use(caBundle)
  }

  /** Calls with each bundle that is published, also with one that was published before. */
  follow(use: (caBundle: string) => void): void {
    this.#followers.push(use)
    if (this.#newest !== undefined) use(this.#newest)
  }
}
