import { texts } from '../../shared/texts.ts'

/** The strength of a new password. */
export interface PasswordStrength {
  /** 0 to 100. */
  score: number
  word: string
  /** The changes that would make it stronger. */
  missing: string[]
}

const words = [
  { below: 40, word: 'Weak' },
  { below: 70, word: 'Fair' },
  { below: 90, word: 'Good' },
]

/** The strength of a new password: points for length, both cases, a digit and a symbol. */
export function passwordStrength(password: string): PasswordStrength {
  const { atLeast, longer, bothCases, digit, symbol, tooShort } = texts.resetPassword
  const traits = [
    { points: 25, isMet: password.length >= 8, name: atLeast },
    { points: 25, isMet: password.length >= 12, name: longer },
    { points: 25, isMet: /\p{Ll}/u.test(password) && /\p{Lu}/u.test(password), name: bothCases },
    { points: 15, isMet: /\d/.test(password), name: digit },
    { points: 10, isMet: /[^\p{L}\d\s]/u.test(password), name: symbol },
  ]
  const missing = traits.filter(({ isMet }) => !isMet).map(({ name }) => name)
  // One length at a time.
  if (password.length < 8)
    return { score: 25, word: tooShort, missing: missing.filter((name) => name !== longer) }
  const score = traits.reduce((sum, { points, isMet }) => (isMet ? sum + points : sum), 0)
  return { score, word: words.find(({ below }) => score < below)?.word ?? 'Strong', missing }
}
