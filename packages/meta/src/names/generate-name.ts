// The names the server makes from metadata.generateName: the base and five characters that spell no words.

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'
const SUFFIX = 5
const LONGEST_BASE = 63 - SUFFIX

export function generateName(base: string, random: () => number = Math.random): string {
  let name = base.slice(0, LONGEST_BASE)
  for (let i = 0; i < SUFFIX; i++) name += ALPHABET[Math.floor(random() * ALPHABET.length)]
  return name
}
