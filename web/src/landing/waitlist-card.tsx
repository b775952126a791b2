import { landingTexts } from './landing-texts.ts'
import { WaitlistForm } from './waitlist-form.tsx'

const { heading, note } = landingTexts.waitlist

/** The waitlist on the landing page. */
export function WaitlistCard() {
  return (
    <section className="box" aria-labelledby="waitlist">
      <h2 id="waitlist">{heading}</h2>
      <p className="quiet">{note}</p>
      <WaitlistForm />
    </section>
  )
}
