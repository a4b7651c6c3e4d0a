// What can happen to a file, as functions over its bytes, and the places of a file at which it may happen.

export type Damage = 'flip' | 'cut' | 'zero' | 'delete' | 'duplicate'
export const DAMAGES: readonly Damage[] = ['flip', 'cut', 'zero', 'delete', 'duplicate']

/** A part of a file. */
export interface Place {
  readonly at: number
  readonly length: number
}

/** The bytes afterwards; undefined when the file is gone. `random` chooses the bit, and what is written over the place. */
export function damaged(bytes: Buffer, damage: Damage, place: Place, random: () => number): Buffer | undefined {
  const copy = Buffer.from(bytes)
  const end = Math.min(copy.length, place.at + place.length)
  switch (damage) {
    case 'flip': {
      const at = place.at + Math.floor(random() * (end - place.at))
      copy.writeUInt8(copy.readUInt8(at) ^ (1 << Math.floor(random() * 8)), at)
      return copy
    }
    case 'cut':
      return copy.subarray(0, place.at + Math.floor(random() * (end - place.at)))
    case 'zero':
      return copy.fill(0, place.at, end)
    case 'delete':
      return undefined
    case 'duplicate': {
      const others = Math.max(1, Math.floor(copy.length / place.length))
      const from = Math.floor(random() * others) * place.length
      copy.copy(copy, place.at, from, Math.min(copy.length, from + end - place.at))
      return copy
    }
  }
}

/** A small generator, so that a failure can be seen again. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
