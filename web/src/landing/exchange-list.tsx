import { landingTexts } from './landing-texts.ts'

const { heading, soon, all } = landingTexts.exchanges

/** The exchanges of bots, now and soon. */
export function ExchangeList() {
  return (
    <section className="exchanges" aria-labelledby="exchanges">
      <h2 id="exchanges">{heading}</h2>
      <ul>
        {all.map((exchange) => (
          <li key={exchange.name} data-soon={'isSoon' in exchange}>
            {exchange.name}
            {'note' in exchange && <span className="exchange-note">{exchange.note}</span>}
            {'isSoon' in exchange && <span className="exchange-note">{soon}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
