import { useId, useState } from 'react'
import { landingTexts } from './landing-texts.ts'

const { heading, cards } = landingTexts.features

/** Four cards of which at most one is open. */
export function FeatureCards() {
  const [open, setOpen] = useState<string>()
  return (
    <section className="features" aria-labelledby="features">
      <h2 id="features">{heading}</h2>
      <div className="cards">
        {cards.map((card) => (
          <FeatureCard
            key={card.title}
            card={card}
            isOpen={card.title === open}
            onToggle={() => setOpen(card.title === open ? undefined : card.title)}
          />
        ))}
      </div>
    </section>
  )
}

interface FeatureCardProps {
  card: (typeof cards)[number]
  isOpen: boolean
  onToggle: () => void
}

function FeatureCard({ card, isOpen, onToggle }: FeatureCardProps) {
  const id = useId()
  return (
    <article className="card" data-open={isOpen}>
      <h3>
        <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
          <span className="card-title">{card.title}</span>
          <span className="card-summary">{card.summary}</span>
          <span className="card-mark" aria-hidden="true" />
        </button>
      </h3>
      <div id={id} className="card-text" hidden={!isOpen}>
        {card.text}
      </div>
    </article>
  )
}
