import { BrandMark } from '../ui/brand-mark.tsx'
import { landingTexts } from './landing-texts.ts'
import { NoticeBoard } from './notice-board.tsx'
import { ThemeButton } from './theme-button.tsx'
import { WaitlistForm } from './waitlist-form.tsx'

const { teaser, footer } = landingTexts

/** What a visitor sees while there is only a waitlist. */
export function TeaserPage() {
  return (
    <NoticeBoard>
      <main id="content" className="teaser">
        <div className="teaser-theme">
          <ThemeButton />
        </div>
        <BrandMark />
        <h1>{teaser.title}</h1>
        <p className="tagline">{teaser.tagline}</p>
        <WaitlistForm />
        <h2 className="visually-hidden">{teaser.tilesHeading}</h2>
        <ul className="tiles">
          {teaser.tiles.map(({ glyph, title, text }) => (
            <li key={title}>
              <span className="tile-glyph" aria-hidden="true">
                {glyph}
              </span>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </main>
      <footer className="site-footer">
        <p>{footer.copyright}</p>
      </footer>
    </NoticeBoard>
  )
}
