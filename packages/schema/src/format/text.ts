// Encodings, colours and numbers with check digits. The expressions here are ours and linear.

const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Padded standard base64; the empty string is none. */
export function isBase64(value: string): boolean {
  return value.length > 0 && value.length % 4 === 0 && base64.test(value)
}

export function isObjectId(value: string): boolean {
  return /^[0-9a-fA-F]{24}$/.test(value)
}

export function isHexColor(value: string): boolean {
  return /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(value)
}

export function isRgbColor(value: string): boolean {
  const parts = /^rgb\(\s{0,64}(\d{1,3})\s{0,64},\s{0,64}(\d{1,3})\s{0,64},\s{0,64}(\d{1,3})\s{0,64}\)$/.exec(value)
  return parts?.slice(1).every((part) => Number(part) <= 255 && String(Number(part)) === part) ?? false
}

export function isSsn(value: string): boolean {
  return value.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(value)
}

export function isIsbn10(value: string): boolean {
  const digits = value.replace(/[\s-]+/g, '')
  if (!/^(\d{9}X|\d{10})$/.test(digits)) return false
  let sum = 0
  for (let i = 0; i < 10; i++) sum += (i + 1) * (digits[i] === 'X' ? 10 : Number(digits[i]))
  return sum % 11 === 0
}

export function isIsbn13(value: string): boolean {
  const digits = value.replace(/[\s-]+/g, '')
  if (!/^\d{13}$/.test(digits)) return false
  let sum = 0
  for (let i = 0; i < 13; i++) sum += (i % 2 === 0 ? 1 : 3) * Number(digits[i])
  return sum % 10 === 0
}

const cards =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/

export function isCreditCard(value: string): boolean {
  const digits = value.replace(/[^0-9]+/g, '')
  if (!cards.test(digits)) return false
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-\\u0080-\\uffff]+"
const mailbox = new RegExp(
  `^(${atom}(\\.${atom})*|"([^"\\\\\\r\\n]|\\\\[^\\r\\n])*")@(${atom}(\\.${atom})*|\\[[^\\[\\]\\s]*\\])$`,
)
const maxEmail = 1024

/** A mailbox, alone or as `Name <mailbox>`. */
export function isEmail(value: string): boolean {
  if (value.length > maxEmail) return false
  const text = value.trim()
  const angle = /^[^<>]*<([^<>]+)>$/.exec(text)
  return mailbox.test(angle?.[1] ?? text)
}
