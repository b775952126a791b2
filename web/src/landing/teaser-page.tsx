import { BrandMark } from '../ui/brand-mark.tsx'
import { landingTexts } from './landing-texts.ts'
import { NoticeBoard } from './notice-board.tsx'
import { PointTiles } from './point-tiles.tsx'
import { ThemeButton } from './theme-button.tsx'
import { WaitlistForm } from './waitlist-form.tsx'

const { teaser, footer } = landingTexts

/** The page of a visitor while there is only a waitlist. */
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
        <PointTiles />
      </main>
      <footer className="site-footer">
        <p>{footer.copyright}</p>
      </footer>
    </NoticeBoard>
  )
}
