import { texts } from '../../shared/texts.ts'
import { passwordStrength } from './password-strength.ts'

/** The strength of a typed password: a bar, a word, and what is missing. */
export function StrengthMeter({ password }: { password: string }) {
  const { score, word, missing } = passwordStrength(password)
  return (
    <div className={`strength strength-${word.toLowerCase().replace(' ', '-')}`}>
      <meter min={0} max={100} value={score} aria-label={texts.resetPassword.strength} />
      <span className="strength-word" role="status">
        {word}
      </span>
      {missing.length > 0 && <span className="strength-missing">{texts.resetPassword.missing(missing)}</span>}
    </div>
  )
}
