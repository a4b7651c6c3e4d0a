// Arithmetic of 64 bits on numbers, and on bigints beyond 2^53. An int is a number whenever it is safe, so that equal ints are ===.
// Undefined is an overflow.

export type Int = number | bigint

const minInt = -(2n ** 63n)
const maxInt = 2n ** 63n - 1n
const maxUint = 2n ** 64n - 1n

export function intOf(value: bigint): Int | undefined {
  return value < minInt || value > maxInt ? undefined : shortest(value)
}

export function uintOf(value: bigint): Int | undefined {
  return value < 0n || value > maxUint ? undefined : shortest(value)
}

type Check = (value: bigint) => Int | undefined

export function add(a: Int, b: Int, check: Check): Int | undefined {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (Number.isSafeInteger(sum) && (sum >= 0 || check === intOf)) return sum
  }
  return check(BigInt(a) + BigInt(b))
}

export function subtract(a: Int, b: Int, check: Check): Int | undefined {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b
    if (Number.isSafeInteger(difference) && (difference >= 0 || check === intOf)) return difference
  }
  return check(BigInt(a) - BigInt(b))
}

export function multiply(a: Int, b: Int, check: Check): Int | undefined {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b
    if (Number.isSafeInteger(product)) return product + 0
  }
  return check(BigInt(a) * BigInt(b))
}

/** Towards zero. The divisor is not zero. */
export function divide(a: Int, b: Int, check: Check): Int | undefined {
  if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b) + 0
  return check(BigInt(a) / BigInt(b))
}

/** With the sign of the dividend. The divisor is not zero. */
export function remainder(a: Int, b: Int, check: Check): Int | undefined {
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0
  return check(BigInt(a) % BigInt(b))
}

/** Undefined where a double has no int: out of range, or no number. */
export function truncate(value: number, check: Check): Int | undefined {
  if (!Number.isFinite(value)) return undefined
  const whole = Math.trunc(value)
  return Number.isSafeInteger(whole) ? (whole >= 0 || check === intOf ? whole + 0 : undefined) : check(BigInt(whole))
}

function shortest(value: bigint): Int {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value
}
