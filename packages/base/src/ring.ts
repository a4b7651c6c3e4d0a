// Which of several members owns something: rendezvous hashing of its name. When a member comes or goes, only what it wins or won
// changes its owner. The processes of an operator share objects by it, servers their duties. All must agree, in every
// version: never change the hash.

interface Point {
  readonly identity: string
  readonly hash: number
}

export class Ring {
  readonly #points: readonly Point[]

  constructor(identities: readonly string[]) {
    this.#points = [...identities].sort().map((identity) => ({ identity, hash: hashOf(identity) }))
  }

  get identities(): readonly string[] {
    return this.#points.map(({ identity }) => identity)
  }

  /** Undefined when there is no member. */
  ownerOf(name: string): string | undefined {
    const hash = hashOf(name)
    let [owner, most]: [string | undefined, number] = [undefined, -1]
    for (const point of this.#points) {
      const weight = mix(hash ^ point.hash)
      // Of equal weights the first in the order of names wins.
      if (weight > most) [owner, most] = [point.identity, weight]
    }
    return owner
  }
}

/** Spreads similar texts; not for secrets. FNV-1a, mixed: it alone spreads texts badly that differ in their last characters. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return mix(hash)
}

/** The finalizer of MurmurHash3: every bit of the input changes half of the output. */
function mix(value: number): number {
  let hash = value ^ (value >>> 16)
  hash = Math.imul(hash, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
