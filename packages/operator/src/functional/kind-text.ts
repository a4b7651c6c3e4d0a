// A kind as one string, `ex.io/v1/Site`, checked by the compiler as far as a type can, and again at startup.

type Upper =
  | ('A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'H' | 'I' | 'J' | 'K' | 'L' | 'M')
  | ('N' | 'O' | 'P' | 'Q' | 'R' | 'S' | 'T' | 'U' | 'V' | 'W' | 'X' | 'Y' | 'Z')

/**
 * The string itself when it is well formed; otherwise a string type that describes the mistake, to which nothing is
 * assignable.
 */
export type KindText<T extends string> = string extends T
  ? T
  : T extends `${infer Group}/${infer Version}/${infer Kind}`
    ? Group extends `${infer _Left}.${infer _Right}`
      ? Version extends `v${infer First}${infer _Rest}`
        ? First extends `${number}`
          ? Kind extends `${infer _More}/${infer _Slash}`
            ? Malformed
            : Kind extends `${Upper}${string}`
              ? T
              : 'a kind begins with a capital letter, e.g. ex.io/v1/Site'
          : 'a version is v and a number, e.g. v1 or v1beta1'
        : 'a version is v and a number, e.g. v1 or v1beta1'
      : 'a group is a domain of yours, e.g. ex.io'
    : Malformed

/** `ex.io/v1` of `ex.io/v1/Site`. */
export type ApiVersionIn<T extends string> = T extends `${infer Group}/${infer Version}/${string}`
  ? `${Group}/${Version}`
  : string

export type KindIn<T extends string> = T extends `${string}/${string}/${infer Kind}` ? Kind : string

type Malformed = 'a kind is written as group/version/Kind, e.g. ex.io/v1/Site'

const GROUP = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/
const VERSION = /^v[1-9]\d*((alpha|beta)[1-9]\d*)?$/
const KIND = /^[A-Z][A-Za-z0-9]*$/

export function readKindText(text: string): { group: string; version: string; kind: string } {
  const [group = '', version = '', kind = '', ...rest] = text.split('/')
  if (rest.length === 0 && GROUP.test(group) && VERSION.test(version) && KIND.test(kind))
    return { group, version, kind }
  throw new Error(`"${text}" is no kind: write group/version/Kind, e.g. ex.io/v1/Site`)
}
