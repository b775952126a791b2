import { landingTexts } from './landing-texts.ts'

/** The points that the product offers, a tile for each. */
export function PointTiles() {
  return (
    <ul className="tiles">
      {landingTexts.points.all.map(({ glyph, title, text }) => (
        <li key={title}>
          <span className="tile-glyph" aria-hidden="true">
            {glyph}
          </span>
          <h3>{title}</h3>
          <p className="quiet">{text}</p>
        </li>
      ))}
    </ul>
  )
}
