import { landingTexts } from './landing-texts.ts'

/** What the product offers, a tile for each point. */
export function PointTiles() {
  return (
    <ul className="tiles">
      {landingTexts.points.all.map(({ glyph, title, text }) => (
        <li key={title}>
          <span className="tile-glyph" aria-hidden="true">
            {glyph}
          </span>
          <h3>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  )
}
